# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text that fits a terminal and does nothing to it."""

from __future__ import annotations

import datetime
import unicodedata

ELLIPSIS = "…"


def plain(value: object) -> str:
    """Give a value as text in which nothing moves a cursor or turns the direction of writing; line breaks and tabs become spaces."""
    text = "" if value is None else str(value)
    return "".join(" " if char in "\t\n\r\v\f\x85\u2028\u2029" else char if _prints(char) else "\ufffd" for char in text)


def width(text: str) -> int:
    """Give how many columns a plain text takes."""
    return sum(_columns(char) for char in text)


def wrap(text: str, columns: int, lines: int | None = None) -> list[str]:
    """Give a plain text in lines of at most so many columns, broken within a word only where it is longer than a line.

    lines: how many are kept at most; the last then ends with an ellipsis.
    """
    wrapped: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
            continue
        if line:
            wrapped.append(line)
        line = word
        while width(line) > columns:
            head = _broken(line, columns)
            wrapped.append(head)
            line = line[len(head) :]
    if line or not wrapped:
        wrapped.append(line)
    if lines is None or len(wrapped) <= lines:
        return wrapped
    return [*wrapped[: lines - 1], _head(wrapped[lines - 1], columns - 1) + ELLIPSIS]


def age(when: str | None, now: datetime.datetime) -> str:
    """Give how long ago a time of the API was, in its two largest units, such as `3d 4h ago`; "" for none."""
    then = moment(when)
    if then is None:
        return plain(when)
    minutes = int((now - then).total_seconds()) // 60
    if minutes < 1:
        return "just now"
    days, hours = minutes // 1440, minutes // 60 % 24
    if days >= 100:
        return f"{days}d ago"
    if days:
        return f"{days}d {hours}h ago" if hours else f"{days}d ago"
    return f"{hours}h {minutes % 60}m ago" if hours else f"{minutes}m ago"


def minute(when: str | None) -> str:
    """Give a time of the API to the minute, in UTC."""
    then = moment(when)
    return plain(when) if then is None else then.strftime("%Y-%m-%d %H:%M")


def moment(when: str | None) -> datetime.datetime | None:
    """Read a time of the API; one without a zone is in UTC. None for what is no time."""
    try:
        then = datetime.datetime.fromisoformat(when or "")
    except ValueError:
        return None
    return then.replace(tzinfo=datetime.timezone.utc) if then.tzinfo is None else then.astimezone(datetime.timezone.utc)


def _prints(char: str) -> bool:
    """Tell whether a character is shown: no control, no format character but the joiners that some scripts need."""
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn") or char in "\u200c\u200d"


def _columns(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200c\u200d" or "\ufe00" <= char <= "\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _broken(word: str, columns: int) -> str:
    """Give the beginning of a word that fills a line: up to a joint such as - or _ in its second half, else as much as fits."""
    head = _head(word, columns)
    joint = max(head.rfind(char) for char in "-_/.,:@=") + 1
    return head[:joint] if joint * 2 >= len(head) else head


def _head(text: str, columns: int) -> str:
    """Give the longest beginning of a text that fits, at least one character."""
    end, used = 0, 0
    for char in text:
        used += _columns(char)
        if used > columns and end:
            break
        end += 1
    return text[:end]
