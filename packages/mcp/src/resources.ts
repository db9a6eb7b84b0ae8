import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import { type Client, createClient, TelexClientError } from "@telex/http/client";
import type { Reach } from "./run-tool.ts";

/** The address of a room, or of the roll of a device, as a resource. */
export const resourceOf = (kind: "rooms" | "devices", id: number | string): string => `telex://${kind}/${id}`;

/** Messages and texts that a resource shows. */
const shown = 50;

type RoomMessage = Awaited<ReturnType<Client["messages"]["history"]>>["groupMessages"][number];

const lineOf = ({ createTime, nickname, content }: RoomMessage): string => `${createTime} ${nickname}: ${content}`;

async function readRoom({ rooms, messages }: Client, groupId: number): Promise<string> {
  const { groupType } = await rooms.find({ groupId });
  const { groupMessages } = await messages.history({ groupId, groupType, pageSize: shown });
  return groupMessages.map(lineOf).join("\n");
}

async function readDevice({ teleprinter }: Client, deviceId: string): Promise<string> {
  const { messages } = await teleprinter.messages({ deviceId, pageSize: shown });
  const lines = messages.map(({ createdAt, direction, content }) => `${createdAt} ${direction}: ${content}`);
  return lines.toReversed().join("\n");
}

/** Reports a failure of Telex as one of the protocol. */
async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof TelexClientError)) throw cause;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${cause.code}: ${cause.message}`);
  }
}

const page = (uri: URL, text: string) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text }] });

const single = (value: string | readonly string[] | undefined): string => (typeof value === "string" ? value : "");

/** Adds the rooms of a person, and the rolls of their devices. */
export function addResources(server: McpServer, reach: Reach): void {
  const client = createClient({ ...reach, language: "en" });
  const listRooms = async () => {
    const { list } = await calling(() => client.rooms.list({ pageSize: 100 }));
    return {
      resources: list.map(({ groupId, groupName }) => ({ uri: resourceOf("rooms", groupId), name: groupName })),
    };
  };
  const listDevices = async () => {
    const devices = await calling(() => client.teleprinter.devices({}));
    return {
      resources: devices.map(({ deviceId, name }) => ({ uri: resourceOf("devices", deviceId), name })),
    };
  };
  server.registerResource(
    "room",
    new ResourceTemplate("telex://rooms/{groupId}", { list: listRooms }),
    { title: "Chat room", description: "The last messages of a room.", mimeType: "text/plain" },
    async (uri, { groupId }) => page(uri, await calling(() => readRoom(client, Number(single(groupId))))),
  );
  server.registerResource(
    "device",
    new ResourceTemplate("telex://devices/{deviceId}", { list: listDevices }),
    { title: "Roll of a device", description: "The last texts to and from a device.", mimeType: "text/plain" },
    async (uri, { deviceId }) => page(uri, await calling(() => readDevice(client, single(deviceId)))),
  );
}
