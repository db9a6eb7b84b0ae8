"""What openapi.json cannot say: such requests are refused, although their schema allows them."""

import os
from datetime import datetime, timedelta, timezone

import schemathesis

of_text = {"deviceId", "nonce", "title", "priority", "life", "at"}


def is_misplaced(case):
    """True for query parameters that belong to a body of text/plain alone, without that body or without all of them."""
    if "text/plain" not in [body.media_type for body in case.operation.body]:
        return False
    given = of_text & set(case.query or {})
    return "deviceId" not in given if case.media_type == "text/plain" else bool(given)


def has_float_as_id(value):
    """True for an id that is written as 1.0: a whole number for a schema, and refused because clients lose digits so."""
    if isinstance(value, list):
        return any(has_float_as_id(item) for item in value)
    if not isinstance(value, dict):
        return False
    odd = [name for name, item in value.items() if isinstance(item, float) and name.lower().endswith("id")]
    return bool(odd) or any(has_float_as_id(item) for item in value.values())


def is_empty_text(segment):
    return segment == {"type": "text", "data": {"text": ""}}


def says_nothing(body):
    """True for a message without content: empty, or of empty texts only."""
    message = body.get("message") if isinstance(body, dict) else None
    return message == "" or (isinstance(message, list) and all(is_empty_text(segment) for segment in message))


def has_ack_of_other_order(case):
    """True for an `ack`, which marks every lower id, of a device that gets the most urgent texts first."""
    return {"ack", "order"} <= set(case.query or {})


def is_moment(value):
    """True for a time that exists and is at most a year ahead."""
    try:
        if str(value).isdecimal():
            moment = datetime.fromtimestamp(int(value) / 1000, timezone.utc)
        else:
            moment = datetime.fromisoformat(str(value))
        return moment < datetime.now(timezone.utc) + timedelta(days=366)
    except (ValueError, OverflowError, OSError, TypeError):
        return False


def has_wrong_moment(case):
    """True for a text that is sent at no time, or later than a year from now."""
    body = case.body if isinstance(case.body, dict) else {}
    values = [part["at"] for part in (case.query or {}, body) if "at" in part]
    return any(isinstance(value, (int, str)) and not is_moment(value) for value in values)


def is_answered_by_nginx(case):
    """True for TRACE behind the load balancer: nginx refuses it itself, and its 405 does not name what is allowed."""
    return case.method == "TRACE" and os.environ.get("TELEX_FOREIGN_SERVERS", "1") != "1"


@schemathesis.hook
def filter_case(context, case):
    return not (
        is_misplaced(case)
        or has_float_as_id(case.body)
        or says_nothing(case.body)
        or has_ack_of_other_order(case)
        or has_wrong_moment(case)
        or is_answered_by_nginx(case)
    )
