"""Uses a Telex server as the tools of a model, and prints what it saw as JSON."""

import asyncio
import json
import sys

import fastmcp
import httpx2
from fastmcp.client.transports import StreamableHttpTransport
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

library, url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}


def text_of(result):
    return result.content[0].text


async def use(client, tools, resources, refused):
    names = sorted(tool.name for tool in tools)
    printed = await client.call_tool("send_to_device", {"deviceId": "demo-printer", "content": f"from {library}"})
    rooms = json.loads(text_of(await client.call_tool("list_rooms", {})))
    return {
        "tools": names,
        "printed": json.loads(text_of(printed))["content"],
        "rooms": [room["groupName"] for room in rooms["list"]],
        "resources": sorted(str(resource.uri) for resource in resources),
        "refused": await refused(),
    }


async def with_mcp():
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:

            async def refused():
                result = await client.call_tool("read_room", {"groupId": 999, "groupType": 1})
                return text_of(result).split(":")[0] if result.is_error else ""

            tools = (await client.list_tools()).tools
            return await use(client, tools, (await client.list_resources()).resources, refused)


async def with_fastmcp():
    async with fastmcp.Client(StreamableHttpTransport(url, headers=headers)) as client:

        async def refused():
            result = await client.call_tool("read_room", {"groupId": 999, "groupType": 1}, raise_on_error=False)
            return text_of(result).split(":")[0] if result.is_error else ""

        return await use(client, await client.list_tools(), await client.list_resources(), refused)


print(json.dumps(asyncio.run(with_mcp() if library == "mcp" else with_fastmcp())))
