"""The database: the only package that speaks SQL.

`Store` is the way in; its parts are one class a subject. Every method is one transaction, names the
owner it acts for, and returns values, never rows. Errors of the database leave as `StorageError`.
"""

from chatmem.store.store import Store

__all__ = ["Store"]
