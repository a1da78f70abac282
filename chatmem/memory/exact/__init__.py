"""Exact details of a text: numbers, dates, names and quotations, and when two writings mean the same."""
