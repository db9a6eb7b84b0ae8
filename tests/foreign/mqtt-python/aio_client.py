"""A device and its owner with aiomqtt. Arguments: port, token, protocol (4 or 5). Prints what they saw as JSON."""

import asyncio
import json
import sys

import aiomqtt

port, token = int(sys.argv[1]), sys.argv[2]
protocol = aiomqtt.ProtocolVersion.V311 if sys.argv[3] == "4" else aiomqtt.ProtocolVersion.V5


def client(user):
    return aiomqtt.Client(
        "127.0.0.1", port, username=user, password=token, identifier=f"aio-{user}", protocol=protocol, timeout=60
    )


async def main():
    async with client("user") as owner:
        async with client("kitchen") as device:
            [reason] = await device.subscribe("telex/kitchen/to", qos=2)
            received = [await anext(device.messages), await anext(device.messages)]
            await owner.subscribe("telex/+/status", qos=1)
            states = [await anext(owner.messages)]
            await owner.publish("telex/kitchen/send", "three", qos=1)
            received.append(await anext(device.messages))
            await device.publish("telex/kitchen/from", "Hello", qos=1)
        states.append(await anext(owner.messages))
    print(
        json.dumps(
            {
                "granted": getattr(reason, "value", reason),
                "texts": [message.payload.decode() for message in received],
                "states": [[str(message.topic), message.payload.decode(), message.retain] for message in states],
            }
        )
    )


asyncio.run(main())
