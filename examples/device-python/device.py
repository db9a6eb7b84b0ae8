#!/usr/bin/env python3
"""A teleprinter in Python, with the standard library only.

It pairs with its user when it has no token, then prints what it receives and says "read" to each text. It polls with
`ack`, so nothing is lost when the network or this program fails between the answer and its use:

    python3 device.py --url http://127.0.0.1:7700 --id kitchen-printer

The token and the last id that was printed are kept in a file beside it (--state).
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PREFIX = "/external/api/v1/teleprinter"
POLL_WAIT = 25  # seconds that the server holds a poll when nothing waits
PAUSES = (1, 2, 5, 10, 30)  # seconds between attempts when the server does not answer


class Refused(Exception):
    """The server answered, and said no."""

    def __init__(self, status, error, message):
        super().__init__(f"{message} ({error})")
        self.status = status
        self.error = error


class Server:
    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.token = token

    def call(self, name, body=None, query=None, timeout=15):
        """One call; returns `data`, raises Refused, or OSError when there was no answer."""
        address = f"{self.url}{PREFIX}/{name}"
        if query:
            address += "?" + urllib.parse.urlencode(query)
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(address, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            envelope = json.load(error)
            raise Refused(error.code, envelope["data"]["error"], envelope["msg"]) from None

    def until_answered(self, *args, **options):
        """Repeats a call that may be repeated until the server has answered."""
        for attempt in range(1_000_000):
            try:
                return self.call(*args, **options)
            except Refused as refused:
                if refused.status != 429 and refused.status < 500:
                    raise
            except OSError as error:
                print(f"no answer: {error}", file=sys.stderr)
            time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"token": None, "printed": 0}


def save(path, state):
    """Whole or not at all: a new file takes the place of the old one."""
    partial = f"{path}.partial"
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def pair(server, device_id, name):
    """Shows a code until the user has confirmed it, and returns the token of this device."""
    while True:
        pairing = server.until_answered("pair", {"deviceId": device_id, "name": name})
        print(f"Open {server.url}/user/teleprinter/ and confirm the code  {pairing['code']}", flush=True)
        while True:
            time.sleep(pairing["interval"])
            try:
                collected = server.until_answered("pair/collect", {"secret": pairing["secret"]})
            except Refused:
                print("The code has expired.", flush=True)
                break
            if collected["token"]:
                return collected["token"]


def run(server, device_id, name, state, path, count):
    server.until_answered("register", {"deviceId": device_id, "name": name})
    print(f"{device_id} is online.", flush=True)
    while count is None or count > 0:
        query = {"deviceId": device_id, "ack": state["printed"], "wait": POLL_WAIT, "limit": 20}
        messages = server.until_answered("poll", query=query, timeout=POLL_WAIT + 15)
        for message in messages:
            if message["id"] <= state["printed"]:
                continue  # repeated, because the last acknowledgement did not arrive
            print(message["content"], flush=True)
            # The nonce follows from the id: printed twice after a crash, it is still answered once.
            answer = {"deviceId": device_id, "content": f"read {message['id']}", "nonce": f"read-{message['id']}"}
            server.until_answered("sync", answer)
            state["printed"] = message["id"]
            save(path, state)
            count = None if count is None else count - 1
    if state["printed"]:
        server.until_answered("poll", query={"deviceId": device_id, "ack": state["printed"]})
    server.until_answered("offline", {"deviceId": device_id})


def main():
    parser = argparse.ArgumentParser(description="A teleprinter: prints what is sent to it.")
    parser.add_argument("--url", default="http://127.0.0.1:7700")
    parser.add_argument("--id", default="python-printer", help="device ID: 1 to 64 letters, digits, _ or -")
    parser.add_argument("--name", default="Python printer")
    parser.add_argument("--state", default="device-state.json", help="file for the token and the last printed id")
    parser.add_argument("--count", type=int, help="end after so many texts")
    options = parser.parse_args()
    state = load(options.state)
    # A token in the environment saves the pairing, for tests and fleets.
    state["token"] = os.environ.get("TELEX_TOKEN") or state["token"]
    server = Server(options.url, state["token"])
    if server.token is None:
        server.token = state["token"] = pair(server, options.id, options.name)
        save(options.state, state)
    try:
        run(server, options.id, options.name, state, options.state, options.count)
    except Refused as refused:
        sys.exit(str(refused))
    except KeyboardInterrupt:
        server.call("offline", {"deviceId": options.id})


if __name__ == "__main__":
    main()
