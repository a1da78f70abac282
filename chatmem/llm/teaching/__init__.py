"""The keyless teaching model. Read model, answering, reading, matching; for folds summarising."""

from chatmem.llm.teaching.model import TeachingModel
from chatmem.llm.teaching.summarising import ExtractiveSummary, extractive_summary

__all__ = ["ExtractiveSummary", "TeachingModel", "extractive_summary"]
