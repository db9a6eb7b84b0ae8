import {
  type Channel,
  channels,
  closeCodes,
  type CommandDescription,
  type EventDescription,
} from "../../packages/ws/src/index.ts";
import { codeBlock, fieldTable, returned, type Shape, shapeOf } from "./schema.ts";

/** Close codes by their number: those of Telex, and the one of the library for a frame that is too large. */
function closes(): string {
  const all = [...Object.values(closeCodes), { code: 1009, meaning: "a frame of the client was over 256 KiB" }];
  const byCode = Map.groupBy(all, ({ code }) => code);
  const rows = [...byCode].toSorted(([one], [other]) => one - other);
  return rows.map(([code, same]) => `| ${code} | ${same.map(({ meaning }) => meaning).join("; or ")} |`).join("\n");
}

const general = (): string => `# Sockets

A running server has this page as an AsyncAPI 3 document at \`/asyncapi.json\`.

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
| \`OperationFailed\` | 500 | it failed: \`{type, code, identifier, msg}\`; \`msg\` is in the language of \`?lang=\` or \`Accept-Language\`, else in that of the setting \`locale\`, else Chinese |
| \`LoginFail\` | 400 | the connection is not authenticated: \`{type, code, identifier}\` |

How a connection ends:

| Code | Why |
| --- | --- |
${closes()}

Other codes say what [RFC 6455](https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1) says.`;

/** Notes on commands and events that their schemas cannot express. */
const notes: Readonly<Record<string, string>> = {
  sendGroupMessage: `\`message\` is a text, or a list of segments:

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

The result comes when the message is durable; \`data\` is its creation time in Unix milliseconds:

\`\`\`json
{ "type": "SendMessageResult", "code": 200, "identifier": "1", "data": 1795246228574, "msg": "success" }
\`\`\``,
  Gap: "More than 1,000 messages or 1 MiB were missed; page the history of this room down to `since`.",
  TeleprinterMessage:
    "To a device: what waited for it comes first, in order. To a connection that watches: texts in either direction.",
  TeleprinterDelivered: "To connections that watch: these texts have reached the device.",
  TeleprinterPresence: "To connections that watch, at every change.",
  setting: "Null takes a setting back. A setting lives as long as the connection.",
  stop: "A reply that was stopped ends with its `ChatResult`.",
};

const noteOf = (name: string): readonly string[] => (notes[name] === undefined ? [] : [notes[name]]);

const titles: Readonly<Record<string, string>> = { rooms: "Chat rooms", teleprinter: "Teleprinter", chat: "AI chat" };

const dataOf = (schema: CommandDescription["output"]): Shape => shapeOf(schema, "output");

function commandSection({ name, result, summary, input, output, pieces }: CommandDescription): string {
  const before = Object.entries(pieces).map(
    ([type, data]) => `\`${type}\` for each piece:${returned(dataOf(data).schema)}`,
  );
  return [
    `### ${name}`,
    summary,
    fieldTable(shapeOf(input, "input")),
    ...before,
    `\`${result}\`:${returned(dataOf(output).schema)}`,
    ...noteOf(name),
  ].join("\n\n");
}

const eventSection = ({ type, data }: EventDescription): string =>
  [`### ${type}`, `\`data\`:${returned(dataOf(data).schema)}`, ...noteOf(type)].join("\n\n");

function queryTable({ query }: Channel): readonly string[] {
  const rows = Object.entries(query).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return rows.length === 0 ? [] : [["| In the address | Meaning |", "| --- | --- |", ...rows].join("\n")];
}

const scopesOf = ({ scopes }: Channel): string => scopes.map((scope) => `\`${scope}\``).join(" or ");

const channelSections = (channel: Channel): readonly string[] => [
  `## ${titles[channel.name] ?? channel.name}`,
  `\`${channel.path}/<ACCESS_TOKEN>\``,
  `${channel.summary} Needs the scope ${scopesOf(channel)}.`,
  ...queryTable(channel),
  ...channel.commands.map(commandSection),
  ...channel.events.map(eventSection),
];

/** The shapes that frames refer to, each once. */
function shapeSections(): readonly string[] {
  const schemas = channels.flatMap(({ commands, events }) => [
    ...commands.flatMap(({ output, pieces }) => [output, ...Object.values(pieces)]),
    ...events.map(({ data }) => data),
  ]);
  const shapes = new Map(schemas.flatMap((schema) => [...dataOf(schema).named]));
  return ["## Shapes", ...[...shapes].map(([name, schema]) => `### ${name}\n\n${codeBlock(schema)}`)];
}

/** The page of all commands and events of sockets. */
export const socketsPage = (): string =>
  [
    general(),
    ...channels.flatMap(channelSections),
    ...shapeSections(),
    "The guide to the AI chat: [AI](../guide/ai.md).",
  ].join("\n\n");
