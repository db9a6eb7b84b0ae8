"""Starts SecantusDB, the server for tests, with two changes that make it behave as MongoDB does.

SecantusDB looks up a document by its _id only if that is a text or a number; for any other _id it reads the whole collection.
MongoDB looks up every _id. Most documents of Telex have an _id with several fields, so that a test with thousands of messages took
minutes, and measurements showed a cost that no MongoDB has. The server checks each document that was looked up against the whole
filter, so the change decides only how a document is found.

SecantusDB knows only in memory which transactions it has committed. If it is killed between a commit and its response, it says of
the repeated commit that there is no such transaction, with the label TransientTransactionError: "certainly not committed". A client
then rightly runs the transaction again, and writes everything twice. MongoDB stores the outcome with the transaction
(config.transactions). Here, too, the commit of a transaction that has written stores its number, in the same transaction of the
storage, and a repeated commit that the memory does not know is answered from there.

One difference remains: SecantusDB remembers the responses to retryable writes outside transactions only in memory. After a kill, such a
write that the driver repeats is executed again.
"""

import sys
from collections.abc import Mapping

from secantus import cli, commands, storage

look_up = storage._id_point_lookup_keys


def is_value(spec):
    """True for a document that is a value, not a set of operators."""
    return isinstance(spec, Mapping) and not any(key.startswith("$") for key in spec)


def look_up_any(spec):
    if is_value(spec):
        return [storage._id_key(spec)]
    if isinstance(spec, Mapping) and list(spec) == ["$in"] and all(is_value(value) for value in spec["$in"]):
        return sorted({storage._id_key(value) for value in spec["$in"]})
    return look_up(spec)


# The id of a session -> the number of its last transaction that was committed after it had written.
OUTCOMES = "table:telex_outcomes"
NO_SUCH_TRANSACTION = 251

open_storage = storage.Storage.__init__
commit_transaction = storage.Storage.commit_user_transaction
answer_commit = commands._HANDLERS["commitTransaction"]


def open_with_outcomes(self, *args, **options):
    open_storage(self, *args, **options)
    session = self._conn.open_session()
    session.create(OUTCOMES, "key_format=u,value_format=q")
    session.close()


def commit_with_outcome(self, handle, *, lsid_doc=None, txn_number=None):
    session_id = commands._lsid_bytes_from_arg(lsid_doc)
    if handle.began and handle.oplog_entries and session_id is not None:
        with self._install_txn_session(handle):
            self._cursor(OUTCOMES)[session_id] = txn_number
    return commit_transaction(self, handle, lsid_doc=lsid_doc, txn_number=txn_number)


def last_committed(store, session_id):
    """The number of the last transaction of a session that is stored as committed, or None."""
    with store._lock:
        session = store._conn.open_session()
    try:
        cursor = session.open_cursor(OUTCOMES)
        cursor.set_key(session_id)
        return cursor.get_value() if cursor.search() == 0 else None
    finally:
        session.close()


def answer_commit_as_stored(doc, ctx):
    response = answer_commit(doc, ctx)
    session_id, number = commands._txn_envelope(doc)
    is_unknown = response.get("code") == NO_SUCH_TRANSACTION
    return {"ok": 1.0} if is_unknown and last_committed(ctx.storage, session_id) == number else response


storage._id_point_lookup_keys = look_up_any
storage.Storage.__init__ = open_with_outcomes
storage.Storage.commit_user_transaction = commit_with_outcome
commands._HANDLERS["commitTransaction"] = answer_commit_as_stored
sys.exit(cli.main())
