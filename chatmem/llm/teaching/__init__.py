"""The keyless teaching model. Read model, answering, reading, matching; for folds summarising; for facts
extracting, and comparing for how two of them stand to each other."""

from chatmem.llm.teaching.comparing import Relation, adds_nothing, relation
from chatmem.llm.teaching.model import TeachingModel
from chatmem.llm.teaching.summarising import ExtractiveSummary, extractive_summary
from chatmem.llm.teaching.words import content_of

__all__ = [
    "ExtractiveSummary",
    "Relation",
    "TeachingModel",
    "adds_nothing",
    "content_of",
    "extractive_summary",
    "relation",
]
