"""A browser that gets a notification, with http_ece. Reads the keys of the browser and the body as JSON, in base64url. Prints the content."""

import base64
import json
import sys

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec


def bytes_of(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


given = {name: bytes_of(text) for name, text in json.load(sys.stdin).items()}
key = ec.derive_private_key(int.from_bytes(given["privateKey"], "big"), ec.SECP256R1())
content = http_ece.decrypt(given["body"], private_key=key, auth_secret=given["auth"], version="aes128gcm")
print(content.decode())
