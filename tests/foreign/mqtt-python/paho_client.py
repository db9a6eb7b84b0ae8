"""A device and its owner with paho-mqtt. Arguments: port, token, protocol (4 or 5). Prints what they saw as JSON."""

import json
import queue
import sys

import paho.mqtt.client as mqtt

port, token, protocol = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])


def connect(user, topic):
    """Connects and subscribes. Returns the client, its granted quality of service, and its messages."""
    messages, granted = queue.Queue(), queue.Queue()
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=f"paho-{user}", protocol=protocol)
    client.username_pw_set(user, token)
    client.on_message = lambda _client, _data, message: messages.put(message)
    client.on_connect = lambda own, _data, _flags, reason, _properties: own.subscribe(topic, qos=2)
    client.on_subscribe = lambda _client, _data, _mid, reasons, _properties: granted.put(reasons[0].value)
    client.connect("127.0.0.1", port)
    client.loop_start()
    return client, granted.get(timeout=60), messages


def publish(client, topic, text):
    client.publish(topic, text, qos=1).wait_for_publish(60)


def close(client):
    client.disconnect()
    client.loop_stop()


device, granted, texts = connect("kitchen", "telex/kitchen/to")
waiting = [texts.get(timeout=60) for _ in range(2)]
owner, _, states = connect("user", "telex/+/status")
state = states.get(timeout=60)
publish(owner, "telex/kitchen/send", "three")
received = [*waiting, texts.get(timeout=60)]
publish(device, "telex/kitchen/from", "Hello")
close(device)
gone = states.get(timeout=60)
close(owner)
print(
    json.dumps(
        {
            "granted": granted,
            "texts": [message.payload.decode() for message in received],
            "states": [[message.topic, message.payload.decode(), bool(message.retain)] for message in (state, gone)],
        }
    )
)
