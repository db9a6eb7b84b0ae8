"""Starts SecantusDB, the server for tests, with one change.

SecantusDB looks up a document by its _id only if that is a text or a number; for any other _id it reads the whole collection.
MongoDB looks up every _id. Most documents of Telex have an _id with several fields, so that a test with thousands of messages took
minutes, and measurements showed a cost that no MongoDB has. The server checks each document that was looked up against the whole
filter, so the change decides only how a document is found.
"""

import sys
from collections.abc import Mapping

from secantus import cli, storage

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


storage._id_point_lookup_keys = look_up_any
sys.exit(cli.main())
