"""Memory itself: mid-term memory (`summary`: when to fold, how, and the gate a new version passes)."""
