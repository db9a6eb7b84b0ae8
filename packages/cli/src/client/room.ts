import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { styleText } from "node:util";
import type { MessageView } from "@telex/core";
import type { GroupType } from "@telex/core/storage";
import { type ChannelEvent, type ClientConnection, openChannel } from "@telex/ws/client";
import { messageOf } from "../errors/errors.ts";
import type { Server } from "./server.ts";
import { jsonText, printable } from "../terminal/output.ts";
import { untilStopped } from "../terminal/signals.ts";
import type { Talk } from "../terminal/talk.ts";
import { contentLines } from "./segments.ts";
import { noSocket, socketFailure } from "./sockets.ts";
import { withClient, within } from "./with-client.ts";

type Connection = ClientConnection<"rooms">;

export interface RoomTalk {
  readonly groupId: string;
  readonly groupType: GroupType;
  /** The number of earlier messages to show. */
  readonly last: number;
  readonly json: boolean;
  readonly talk: Talk;
}

/** Shows the messages of a chat room and sends each line of stdin, until stdin or the connection ends. */
export async function talkInRoom(server: Server, room: RoomTalk): Promise<void> {
  const stop = untilStopped();
  const messages = await readHistory(server, room);
  const [newest] = messages;
  const name = newest === undefined ? `room ${room.groupId}` : `"${printable(newest.groupName)}"`;
  const screen = createScreen(room.json);
  for (const message of messages.toReversed().slice(messages.length - Math.min(room.last, messages.length)))
    screen.show(message);
  const connection = await connect(server, newest?.messageId ?? null, (message) => {
    if (String(message.groupId) === room.groupId) screen.show(message);
  });
  room.talk.done(`You are in ${name}. Type a line and press Enter; Ctrl-D ends.`);
  const broken = connection.ended.then((cause) => {
    throw socketFailure(cause);
  });
  await Promise.race([sendLines(connection, room, screen, stop), broken]);
  broken.catch(nothing);
  connection.close();
  await connection.ended;
}

const nothing = (): void => {};

/** Connects, and receives messages after `since` and the user's own messages from elsewhere. */
async function connect({ url, token }: Server, since: number | null, show: (message: MessageView) => void) {
  const query = since === null ? { echo: "1" } : { echo: "1", since: String(since) };
  const onEvent = ({ type, data }: ChannelEvent<"rooms">): void => (type === "GroupMessage" ? show(data) : undefined);
  return await openChannel({ url, token, channel: "rooms", query, onEvent }).catch(() => {
    throw noSocket(url);
  });
}

async function readHistory(server: Server, { groupId, groupType, last }: RoomTalk): Promise<MessageView[]> {
  const query = { groupId, groupType, pageSize: Math.max(1, last) };
  const page = await withClient(server, async ({ messages }) => await messages.history(query, within()));
  return page.groupMessages;
}

interface Screen {
  show(message: MessageView): void;
  /** Writes messages above the line that is being typed. */
  around(line: { clear(): void; draw(): void }): void;
}

function createScreen(json: boolean): Screen {
  let typed = { clear(): void {}, draw(): void {} };
  return {
    show(message) {
      typed.clear();
      process.stdout.write(`${json ? jsonText(message) : asLines(message)}\n`);
      typed.draw();
    },
    around: (line) => (typed = line),
  };
}

function asLines({ createTime, nickname, content }: MessageView): string {
  const time = new Date(createTime).toTimeString().slice(0, 5);
  const [first = "", ...rest] = contentLines(content);
  const head = `${styleText("dim", time)}  ${styleText("cyan", printable(nickname))}  ${first}`;
  return [head, ...rest.map((line) => `       ${line}`)].join("\n");
}

/** Sends the lines of stdin, each after the previous one is stored. */
async function sendLines(connection: Connection, room: RoomTalk, screen: Screen, stop: AbortSignal): Promise<void> {
  const prompts = process.stdin.isTTY && process.stdout.isTTY && !room.json;
  const lines = createInterface({ input: process.stdin, ...(prompts && { output: process.stdout, prompt: "> " }) });
  const prompt = (): void => (prompts ? lines.prompt() : undefined);
  stop.addEventListener("abort", () => lines.close());
  // An open stdin would keep the process alive.
  connection.ended.then(() => lines.close(), nothing);
  lines.on("SIGINT", () => lines.close());
  if (prompts) screen.around({ clear: () => process.stdout.write("\r\u001B[K"), draw: () => lines.prompt(true) });
  prompt();
  for await (const line of lines) {
    if (line !== "") await sendLine(connection, line, room, prompts ? nothing : () => room.talk.done("Sent."));
    prompt();
  }
  if (prompts) process.stdout.write("\n");
}

/** Sends a line. A rejected one does not end the conversation, but sets the exit code. */
async function sendLine(connection: Connection, line: string, room: RoomTalk, sent: () => void): Promise<void> {
  const { groupId, groupType, talk } = room;
  try {
    const fields = { groupId: Number(groupId), groupType, message: line, nonce: randomUUID() };
    await connection.call("sendGroupMessage", fields);
    sent();
  } catch (error) {
    talk.warn(messageOf(socketFailure(error)));
    process.exitCode = 1;
  }
}
