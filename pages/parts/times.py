"""Times as the visitor's clock shows them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def visitor_zone() -> tzinfo:
    """The browser's time zone, or UTC when it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def local_time(moment: datetime) -> str:
    """Date and time to the minute in the visitor's zone."""
    return moment.astimezone(visitor_zone()).strftime("%Y-%m-%d %H:%M")


def local_day(moment: datetime) -> str:
    """The day in the visitor's zone."""
    return moment.astimezone(visitor_zone()).strftime("%Y-%m-%d")


def ago(say: Callable[..., str], moment: datetime) -> str:
    """How long ago a day was, in the visitor's words: from "today" to "3 years ago"."""
    zone = visitor_zone()
    days = (datetime.now(zone).date() - moment.astimezone(zone).date()).days
    if days <= 0:
        return say("ago.today")
    if days == 1:
        return say("ago.yesterday")
    if days < 14:
        return say("ago.days", count=days)
    if days < 61:
        return say("ago.weeks", count=days // 7)
    if days < 731:
        return say("ago.months", count=days // 30)
    return say("ago.years", count=days // 365)
