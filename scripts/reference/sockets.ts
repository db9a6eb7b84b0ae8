import { messagesContract, teleprinterContract } from "@telex/core";
import { channels } from "../../packages/ws/src/channels/channels.ts";
import { codeBlock, fieldTable, shapeOf } from "./schema.ts";

const [rooms, teleprinter, chat] = channels.map(({ path }) => path);

const message = shapeOf(messagesContract.send.input, "input");
const mirrored = shapeOf(messagesContract.history.output, "output");
const onDevice = shapeOf(teleprinterContract.messages.output, "output");
const device = shapeOf(teleprinterContract.register.output, "output");

const shapes = new Map([...message.named, ...mirrored.named, ...onDevice.named, ...device.named]);

const shape = (name: string): string => {
  const schema = shapes.get(name);
  if (schema === undefined) throw new TypeError(`No contract names the shape ${name}.`);
  return `### ${name}\n\n${codeBlock(schema)}`;
};

const general = (): string => `# Sockets

Frames are JSON texts. The access token is the last segment of the path. Without that segment, the same address takes the token
in the header \`Authorization: Bearer <ACCESS_TOKEN>\`, or in a subprotocol, which browsers can send:
\`new WebSocket(address, ["telex", "bearer.<ACCESS_TOKEN>"])\`. Then no log of a proxy shows it. If several places hold a token, it
must be the same one; otherwise the upgrade is refused with 400. The server echoes \`telex\` or, without it, the first other
subprotocol, and never one that holds a token.

An upgrade succeeds with any token. Without a valid one, each frame is answered with \`LoginFail\`, and the connection is closed
after 10 seconds, after 16 frames, or after a frame over 4 KiB. The server pings every 30 s, and closes what does not answer.

Upgrades and commands count in the same rates as HTTP calls. A command over the rate is answered with \`OperationFailed\`; after 100
such answers in a row, the connection is closed with 1013. An upgrade over the rate gets that frame (\`identifier\` null), then 1013;
one from an address with too many open sockets is refused with 429.

A command is \`{identifier, command, ...}\`. Its answer carries the \`identifier\` as it came: any JSON text or number, else
\`null\`. A command that fails is answered, and the connection goes on:

| Frame | \`code\` | When |
| --- | --- | --- |
| the command's result | 200 | it succeeded: \`{type, code, identifier, data, msg: "success"}\` |
| the command's result | 300 | the bot of the room is offline, and nothing was stored: \`{type, code, identifier, msg}\` |
| \`OperationFailed\` | 500 | it failed: \`{type, code, identifier, msg}\`; \`msg\` is Chinese, or in the language of the setting \`locale\` |
| \`LoginFail\` | 400 | the connection is not authenticated: \`{type, code, identifier}\` |

How a connection ends:

| Code | Why |
| --- | --- |
| 1001 | the server stops |
| 1009 | a frame of the client was over 256 KiB |
| 1013 | the client reads too slowly: 4 MiB waited for it; it connects again, with \`since\`. Or it sends too much, or has too many sockets |
| 4401 | the token is missing, or has ended |
| 4403 | the device belongs to somebody else |
| 4404 | the device is not registered, or not any more |
| 4409 | the device is connected already, or its connection was taken over |

Other codes say what [RFC 6455](https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1) says.`;

const chatRooms = (): string => `## Chat rooms

\`${rooms}/<ACCESS_TOKEN>\`

| In the address | Meaning |
| --- | --- |
| \`echo=1\` | also what the same user sends over other connections |
| \`since=<message id>\` | first everything that the user missed, in order; then what happens, without a hole between |

### sendGroupMessage

${fieldTable(message)}

\`message\` is a text, or a list of segments:

\`\`\`json
{
  "identifier": "1",
  "command": "sendGroupMessage",
  "groupId": 1,
  "groupType": 1,
  "message": [
    { "type": "reply", "data": { "messageId": 17 } },
    { "type": "at", "data": { "ext": "10001" } },
    { "type": "text", "data": { "text": "你好" } },
    { "type": "image", "data": { "file_id": "7801804c8d7acdd550328168ec55c902" } },
    { "type": "file", "data": { "file_id": "9e107d9d372bb6826bd81d3542a419d6", "name": "notes.pdf" } }
  ]
}
\`\`\`

The answer comes when the message is durable; \`data\` is its creation time in Unix milliseconds:

\`\`\`json
{ "type": "SendMessageResult", "code": 200, "identifier": "1", "data": 1795246228574, "msg": "success" }
\`\`\`

### Frames that come by themselves

| \`type\` | \`data\` |
| --- | --- |
| \`GroupMessage\` | a [Message](#message) of a room of the user |
| \`Gap\` | \`{groupId, groupType, since, until}\`: more than 1,000 messages or 1 MiB were missed; page the history of this room down to \`since\` |

${shape("Message")}`;

const devices = (): string => `## Teleprinter

\`${teleprinter}/<ACCESS_TOKEN>\`

| In the address | Meaning |
| --- | --- |
| \`deviceId=<id>\` | the connection of this device; without it the connection watches all devices of the user |
| \`ack=1\` | a text counts as delivered when the device acknowledges it, not when the socket took it |

| Command of a device | Fields | Result |
| --- | --- | --- |
| \`heartbeat\` | | \`HeartbeatResult\` with the [Device](#device) |
| \`sync\` | \`content\`, \`nonce?\` | \`SyncResult\` with the [DeviceMessage](#devicemessage) |
| \`offline\` | | \`OfflineResult\` with the [Device](#device) |
| \`ack\` | \`id\` | \`AckResult\` with \`null\`; acknowledges every text up to the id |

| Frame that comes by itself | To whom | \`data\` |
| --- | --- | --- |
| \`TeleprinterMessage\` | device | a [DeviceMessage](#devicemessage) to it; what waited for it comes first, in order |
| \`TeleprinterMessage\` | watcher | a [DeviceMessage](#devicemessage) in either direction |
| \`TeleprinterDelivered\` | watcher | \`{deviceId, ids}\`: these texts have reached the device |
| \`TeleprinterPresence\` | watcher | the [Device](#device), at every change |

${shape("Device")}

${shape("DeviceMessage")}`;

const conversations = (): string => `## AI chat

\`${chat}/<ACCESS_TOKEN>\`

| Command | Fields | Answer |
| --- | --- | --- |
| \`setting\` | \`systemPrompt?\`, \`maxOutputTokens?\`, \`model?\`; null takes one back | \`SettingResult\`; it lives and dies with the connection |
| \`chat\` | \`content\`, \`conversationId?\` | \`ChatDelta\` for each piece, then \`ChatResult\` |
| \`stop\` | \`conversationId?\` | \`StopResult\`; the reply that was stopped ends with its \`ChatResult\` |

The guide: [AI](../guide/ai.md).`;

/** The page of everything that goes over a socket. */
export const socketsPage = (): string => [general(), chatRooms(), devices(), conversations()].join("\n\n");
