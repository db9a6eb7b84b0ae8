"""Starts SecantusDB, the server for tests, with four changes that make it behave as MongoDB does.

SecantusDB looks up a document by its _id only if that is a text or a number; for any other _id it reads the whole collection.
MongoDB looks up every _id. Most documents of Telex have an _id with several fields, so that a test with thousands of messages took
minutes, and measurements showed a cost that no MongoDB has. The server checks each document that was looked up against the whole
filter, so the change decides only how a document is found.

SecantusDB knows only in memory which transactions it has committed. If it is killed between a commit and its response, it says of
the repeated commit that there is no such transaction, with the label TransientTransactionError: "certainly not committed". A client
then rightly runs the transaction again, and writes everything twice. MongoDB stores the outcome with the transaction
(config.transactions). Here, too, the commit of a transaction that has written stores its number, in the same transaction of the
storage, and a repeated commit that the memory does not know is answered from there.

SecantusDB accepts reads as of one moment outside transactions (the read concern "snapshot" with atClusterTime), and answers them from what is there
now. Here, the first read of a session begins a transaction of the storage, from which its later reads are answered. As in MongoDB, the
history is kept for minSnapshotHistoryWindowInSeconds; a later read fails with SnapshotTooOld. The history of a session also ends when the
session reads as of another moment, or does not read for half a minute: a driver keeps its sessions, and old versions of documents would pile up.

SecantusDB refuses a read concern in the command bulkWrite. The first command of a transaction has one, and MongoDB accepts it there.

One difference remains: SecantusDB remembers the responses to retryable writes outside transactions only in memory. After a kill, such a
write that the driver repeats is executed again.
"""

import sys
import threading
import time
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


SNAPSHOT_TOO_OLD = 239
WINDOW = "minSnapshotHistoryWindowInSeconds"
# Seconds.
IDLE = 30

end_sessions = commands._HANDLERS["endSessions"]
set_parameter = commands._HANDLERS["setParameter"]


class Snapshot:
    """What the reads of a session are answered from."""

    def __init__(self, ctx):
        self.handle = ctx.storage.begin_user_transaction()
        # A number that nothing else has.
        self.at = ctx.storage.current_cluster_time()
        self.begun = self.used = time.monotonic()
        self.lock = threading.Lock()


class Snapshots:
    """The snapshots of all sessions."""

    def __init__(self):
        self.window = 300
        self.lock = threading.Lock()
        self.all = {}

    def open(self, session_id, at, ctx):
        """The snapshot of a read, or None if it is gone."""
        with self.lock:
            for old in [key for key in self.all if not self.is_kept(key)]:
                self.end(old, ctx)
            if at is None:
                self.end(session_id, ctx)
                self.all[session_id] = Snapshot(ctx)
            snapshot = self.all.get(session_id)
            if snapshot is None or at not in (None, snapshot.at):
                return None
            snapshot.used = time.monotonic()
            return snapshot

    def is_kept(self, session_id):
        now, snapshot = time.monotonic(), self.all[session_id]
        return now - snapshot.begun < self.window and now - snapshot.used < IDLE

    def end(self, session_id, ctx):
        snapshot = self.all.pop(session_id, None)
        if snapshot is not None:
            with snapshot.lock:
                ctx.storage.abort_user_transaction(snapshot.handle)

    def end_session(self, session_id, ctx):
        with self.lock:
            self.end(session_id, ctx)


snapshots = Snapshots()


def answer_as_of_one_moment(answer):
    def run(doc, ctx):
        concern = doc.get("readConcern")
        is_snapshot = isinstance(concern, Mapping) and concern.get("level") == "snapshot"
        if not is_snapshot or doc.get("autocommit") is False:
            return answer(doc, ctx)
        session_id = commands._lsid_bytes_from_arg(doc.get("lsid"))
        snapshot = snapshots.open(session_id, concern.get("atClusterTime"), ctx)
        if snapshot is None:
            text = "Read timestamp is older than the oldest available timestamp."
            return {"ok": 0.0, "errmsg": text, "code": SNAPSHOT_TOO_OLD, "codeName": "SnapshotTooOld"}
        with snapshot.lock, ctx.storage.use_user_transaction(snapshot.handle):
            response = answer(doc, ctx)
        place = response.get("cursor", response)
        place["atClusterTime"] = snapshot.at
        return response

    return run


def end_with_snapshots(doc, ctx):
    for session in doc.get("endSessions") or []:
        snapshots.end_session(commands._lsid_bytes_from_arg(session), ctx)
    return end_sessions(doc, ctx)


def set_parameter_or_window(doc, ctx):
    if WINDOW not in doc:
        return set_parameter(doc, ctx)
    was, snapshots.window = snapshots.window, doc[WINDOW]
    return {"was": was, "ok": 1.0}


for reading in ["find", "aggregate", "distinct"]:
    commands._HANDLERS[reading] = answer_as_of_one_moment(commands._HANDLERS[reading])
commands._HANDLERS["endSessions"] = end_with_snapshots
commands._HANDLERS["setParameter"] = set_parameter_or_window
commands._BULK_WRITE_KNOWN_FIELDS |= {"readConcern"}
storage._id_point_lookup_keys = look_up_any
storage.Storage.__init__ = open_with_outcomes
storage.Storage.commit_user_transaction = commit_with_outcome
commands._HANDLERS["commitTransaction"] = answer_commit_as_stored
sys.exit(cli.main())
