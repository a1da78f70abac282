"""Times as the visitor's clock shows them."""

from __future__ import annotations

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
