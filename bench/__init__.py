"""Measurements, one command each: `python -m bench.NAME`. The last line printed is one JSON object.

Figures are medians or ratios of things measured in turn within one run: machines are noisy. Nothing
here is a test; tests never assert on time.
"""
