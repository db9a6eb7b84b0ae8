import type { Channel, CommandDescription, EventDescription } from "./channels/channel.ts";
import { closeCodes } from "./channels/table.ts";
import { type Schema, type Named, pointer, schemaOf, identifier, objectOf } from "./asyncapi-schemas.ts";

/** A frame of a command: its fields in addition to `identifier` and `command`. */
function commandFrame({ name, input }: CommandDescription, named: Named): Schema {
  const fields = schemaOf(input, "input", named);
  return { allOf: [objectOf({ identifier, command: { const: name } }, ["command"]), fields] };
}

const resultFrame = (type: string, data: Schema): Schema =>
  objectOf({ type: { const: type }, code: { const: 200 }, identifier, data }, ["type", "code", "identifier", "data"]);

const eventFrame = ({ type, data }: EventDescription, named: Named): Schema =>
  objectOf({ type: { const: type }, code: { const: 200 }, data: schemaOf(data, "output", named) }, [
    "type",
    "code",
    "data",
  ]);

/** The failures that every channel can send in addition to the results of its commands. */
const failures = {
  OperationFailed: objectOf(
    { type: { const: "OperationFailed" }, code: { const: 500 }, identifier, msg: { type: "string" } },
    ["type", "code", "identifier", "msg"],
  ),
  LoginFail: objectOf({ type: { const: "LoginFail" }, code: { const: 400 }, identifier }, [
    "type",
    "code",
    "identifier",
  ]),
};

function framesOf({ commands, events }: Channel, named: Named): Readonly<Record<string, Schema>> {
  const frames: [string, Schema][] = [];
  for (const command of commands) {
    frames.push([command.name, commandFrame(command, named)]);
    for (const [type, data] of Object.entries(command.pieces))
      frames.push([type, resultFrame(type, schemaOf(data, "output", named))]);
    frames.push([command.result, resultFrame(command.result, schemaOf(command.output, "output", named))]);
  }
  for (const event of events) frames.push([event.type, eventFrame(event, named)]);
  return { ...Object.fromEntries(frames), ...failures };
}

const messageOf = ([name, payload]: readonly [string, Schema]): readonly [string, Schema] => [
  name,
  { name, contentType: "application/json", payload },
];

const closesOf = ({ closes }: Channel): string =>
  [...new Set([...(["stopping", "draining", "too_slow", "too_many", "token_ended"] as const), ...closes])]
    .map((reason) => `${closeCodes[reason].code}: ${closeCodes[reason].meaning}`)
    .join("; ");

function channelObject(channel: Channel, basePath: string, named: Named): Schema {
  const { path, summary, query, scopes } = channel;
  const fields = Object.entries(query).map(([name, description]) => [name, { type: "string", description }] as const);
  const parameters = { type: "object", properties: Object.fromEntries(fields) };
  const allowed = scopes.map((scope) => `\`${scope}\``).join(" or ");
  return {
    address: `${basePath}${path}`,
    summary,
    description: `Needs the scope ${allowed}. Close codes: ${closesOf(channel)}.`,
    messages: Object.fromEntries(Object.entries(framesOf(channel, named)).map(messageOf)),
    bindings: { ws: { method: "GET", query: parameters, bindingVersion: "0.1.0" } },
  };
}

const security = [pointer("components", "securitySchemes", "bearer")];

function commandOperation({ name: channel }: Channel, { name, result, summary, pieces }: CommandDescription): Schema {
  const message = (frame: string): Schema => pointer("channels", channel, "messages", frame);
  const answers = [...Object.keys(pieces), result, ...Object.keys(failures)];
  return {
    action: "receive",
    summary,
    security,
    channel: pointer("channels", channel),
    messages: [message(name)],
    reply: { channel: pointer("channels", channel), messages: answers.map(message) },
  };
}

const eventOperation = ({ name: channel }: Channel, { type }: EventDescription): Schema => ({
  action: "send",
  security,
  channel: pointer("channels", channel),
  messages: [pointer("channels", channel, "messages", type)],
});

const operationsOf = (channel: Channel) => [
  ...channel.commands.map(
    (command) => [`${channel.name}.${command.name}`, commandOperation(channel, command)] as const,
  ),
  ...channel.events.map((event) => [`${channel.name}.${event.type}`, eventOperation(channel, event)] as const),
];

const description = `Commands, their results and events over WebSocket. Frames are JSON texts.

Send the access token in the header \`Authorization: Bearer <ACCESS_TOKEN>\`, in a subprotocol (\`telex, bearer.<ACCESS_TOKEN>\`), or as
one more segment at the end of the path.

Failures are in the language of \`?lang=\` (\`en\` or \`zh\`), else of \`Accept-Language\`, else in that of the setting \`locale\`, else in Chinese.`;

/**
 * The AsyncAPI document of these channels.
 * @param basePath the prefix of their paths
 */
export function createAsyncApi(channels: readonly Channel[], basePath: string): object {
  const named: Named = new Map();
  const objects = channels.map((channel) => [channel.name, channelObject(channel, basePath, named)] as const);
  return {
    asyncapi: "3.1.0",
    info: { title: "Telex", version: "1", description, license: { name: "MIT" } },
    defaultContentType: "application/json",
    channels: Object.fromEntries(objects),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: {
      schemas: Object.fromEntries(named),
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}
