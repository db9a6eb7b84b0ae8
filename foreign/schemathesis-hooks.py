"""What openapi.json cannot say: query parameters that belong to a body of text/plain alone."""

import schemathesis

of_text = {"deviceId", "nonce"}


@schemathesis.hook
def filter_case(context, case):
    if "text/plain" not in [body.media_type for body in case.operation.body]:
        return True
    given = of_text & set(case.query or {})
    return "deviceId" in given if case.media_type == "text/plain" else not given
