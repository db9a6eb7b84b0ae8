#!/usr/bin/env python3
"""A client in Python that knows Telex by its AsyncAPI document alone.

It reads /asyncapi.json, finds the addresses, commands and frames of the channels there, says one thing in a room, waits as
a device for one text, and asks a model one question. It needs Python 3.9 or later and nothing else:

    TELEX_TOKEN=... python3 client.py --url http://127.0.0.1:7700 --room 1 --device kitchen-printer
"""

import argparse
import base64
import hashlib
import json
import os
import socket
import struct
import urllib.parse
import urllib.request

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 1.3
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class WebSocket:
    """The half of RFC 6455 that a client needs."""

    def __init__(self, url, token):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port or 80), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Authorization: Bearer {token}",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.reader = self.socket.makefile("rb")
        status = self.reader.readline().decode()
        headers = {}
        for line in iter(lambda: self.reader.readline().decode().strip(), ""):
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        accept = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest()).decode()
        if " 101 " not in status or headers.get("sec-websocket-accept") != accept:
            raise SystemExit(f"No WebSocket: {status.strip()}")

    def _send(self, opcode, payload):
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def send(self, frame):
        self._send(TEXT, json.dumps(frame).encode())

    def receive(self):
        """The next frame; pings are answered. The server sends each text as one WebSocket frame."""
        while True:
            opcode, length = struct.unpack("!BB", self.reader.read(2))
            if length == 126:
                (length,) = struct.unpack("!H", self.reader.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self.reader.read(8))
            payload = self.reader.read(length)
            if opcode & 0xF == TEXT:
                return json.loads(payload)
            if opcode & 0xF == PING:
                self._send(PONG, payload)
            if opcode & 0xF == CLOSE:
                raise SystemExit(f"The server closed with {struct.unpack('!H', payload[:2])[0]}.")


class Document:
    """What the AsyncAPI document says."""

    def __init__(self, url):
        with urllib.request.urlopen(f"{url}/asyncapi.json", timeout=30) as response:
            self.root = json.load(response)

    def find(self, reference):
        node = self.root
        for name in reference["$ref"].removeprefix("#/").split("/"):
            node = node[name.replace("~1", "/").replace("~0", "~")]
        return node

    def address(self, channel):
        return self.root["channels"][channel]["address"]

    def command(self, channel, needed):
        """The command that takes these fields and needs no others, and the frames that answer it: the last one is its result."""
        for operation in self.root["operations"].values():
            if operation["action"] != "receive" or operation["channel"]["$ref"] != f"#/channels/{channel}":
                continue
            frame, fields = self.find(operation["messages"][0])["payload"]["allOf"]
            if not set(fields.get("required", [])) <= set(needed) <= set(fields.get("properties", {})):
                continue
            answers = [self.find(message) for message in operation["reply"]["messages"]]
            types = [answer["name"] for answer in answers if self.code(answer) == 200]
            return frame["properties"]["command"]["const"], types
        raise SystemExit(f"No command of {channel} takes {needed}.")

    def event(self, channel, schema):
        """The type of the frame whose data has this schema."""
        for operation in self.root["operations"].values():
            if operation["action"] != "send" or operation["channel"]["$ref"] != f"#/channels/{channel}":
                continue
            message = self.find(operation["messages"][0])
            data = message["payload"]["properties"]["data"]
            if data.get("$ref") == f"#/components/schemas/{schema}":
                return message["payload"]["properties"]["type"]["const"]
        raise SystemExit(f"No event of {channel} has the data {schema}.")

    @staticmethod
    def code(message):
        return message["payload"]["properties"]["code"]["const"]


def ask(connection, command, answers, fields):
    """Sends a command, and returns the frames that answer it, up to its result."""
    connection.send({"identifier": command, "command": command, **fields})
    frames = []
    while True:
        frame = connection.receive()
        if frame.get("identifier") != command:
            continue
        if frame["type"] not in answers:
            raise SystemExit(f"{command}: {frame['type']} {frame.get('msg', '')}")
        frames.append(frame)
        if frame["type"] == answers[-1]:
            return frames


def wait(connection, kind):
    while True:
        frame = connection.receive()
        if frame["type"] == kind:
            return frame["data"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--room", type=int, required=True)
    parser.add_argument("--device", required=True)
    options = parser.parse_args()
    document = Document(options.url)
    token = os.environ["TELEX_TOKEN"]

    def connect(channel, query=""):
        address = urllib.parse.urljoin(options.url, document.address(channel))
        return WebSocket(f"{address}{query}", token)

    # A connection is not told what it sends itself. The second one listens as soon as it answers a command.
    listener = connect("rooms", "?echo=1")
    listener.send({"identifier": "ready", "command": ""})
    while listener.receive().get("identifier") != "ready":
        pass
    room = connect("rooms")
    send, sent = document.command("rooms", ["groupId", "groupType", "message"])
    ask(room, send, sent, {"groupId": options.room, "groupType": 1, "message": "hello from Python"})
    print("sent", flush=True)
    message = wait(listener, document.event("rooms", "Message"))
    print("heard", message["nickname"], message["content"], flush=True)

    device = connect("teleprinter", f"?ack=1&deviceId={urllib.parse.quote(options.device)}")
    print("waiting", flush=True)
    text = wait(device, document.event("teleprinter", "DeviceMessage"))
    acknowledge, acknowledged = document.command("teleprinter", ["id"])
    ask(device, acknowledge, acknowledged, {"id": text["id"]})
    print("printed", text["content"], flush=True)

    chat = connect("chat")
    question, pieces = document.command("chat", ["content"])
    frames = ask(chat, question, pieces, {"content": "one two"})
    result = frames[-1]["data"]
    deltas = "".join(frame["data"]["delta"] for frame in frames[:-1])
    print("answered", result["content"], deltas == result["content"], flush=True)


main()
