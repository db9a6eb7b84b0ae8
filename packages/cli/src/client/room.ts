import { createInterface } from "node:readline";
import { styleText } from "node:util";
import { messagesContract } from "@telex/core";
import type { GroupType, MessageView } from "@telex/core";
import { messageOf } from "../errors.ts";
import type { Server } from "../options.ts";
import { printable } from "../output.ts";
import { untilStopped } from "../signals.ts";
import type { Talk } from "../talk.ts";
import { createApi } from "./api.ts";
import { openRoomSocket } from "./room-socket.ts";
import type { Frame, RoomSocket } from "./room-socket.ts";
import { contentLines } from "./segments.ts";

/** What `telex group talk` was asked for. */
export interface RoomTalk {
  readonly groupId: string;
  readonly groupType: GroupType;
  /** Messages of the history to show at first. */
  readonly last: number;
  readonly json: boolean;
  readonly talk: Talk;
}

/** Shows what is written in a chat room and sends each line of stdin, until stdin or the connection ends. */
export async function talkInRoom(server: Server, room: RoomTalk): Promise<void> {
  const stop = untilStopped();
  const messages = await readHistory(server, room);
  const name = messages[0]?.groupName ?? `room ${room.groupId}`;
  const screen = createScreen(room.json);
  for (const message of messages.toReversed().slice(messages.length - Math.min(room.last, messages.length)))
    screen.show(message);
  const since = messages[0]?.messageId ?? null;
  const socket = await openRoomSocket(server, since, (frame) => receive(frame, room, screen));
  room.talk.done(`You are in "${printable(name)}". Type a line and press Enter; Ctrl-D ends.`);
  await Promise.race([sendLines(socket, room, screen, stop), socket.ended.then(rejectFailure)]);
  await socket.close();
}

const rejectFailure = (failure: Error | null): void => {
  if (failure !== null) throw failure;
};

async function readHistory(server: Server, { groupId, groupType, last }: RoomTalk): Promise<MessageView[]> {
  const query = { groupId, groupType, pageSize: Math.max(1, last) };
  const page = await createApi(server.url, server.token).call({ path: "/external/api/v1/im/getMessage", query });
  return messagesContract.history.output.parse(page).groupMessages;
}

function receive(frame: Frame, { groupId }: RoomTalk, screen: Screen): void {
  if (frame["type"] !== "GroupMessage") return;
  const { groupMessages } = messagesContract.history.output.shape;
  const message = groupMessages.element.parse(frame["data"]);
  if (String(message.groupId) === groupId) screen.show(message);
}

interface Screen {
  show(message: MessageView): void;
  /** Writes what is shown above the line that is being typed. */
  around(line: { clear(): void; draw(): void }): void;
}

function createScreen(json: boolean): Screen {
  let typed = { clear(): void {}, draw(): void {} };
  return {
    show(message) {
      typed.clear();
      process.stdout.write(`${json ? JSON.stringify(message) : asLines(message)}\n`);
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

/** Sends the lines of stdin one after the other, each when the one before is stored. */
async function sendLines(socket: RoomSocket, room: RoomTalk, screen: Screen, stop: AbortSignal): Promise<void> {
  const prompts = process.stdin.isTTY && process.stdout.isTTY && !room.json;
  const lines = createInterface({ input: process.stdin, ...(prompts && { output: process.stdout, prompt: "> " }) });
  stop.addEventListener("abort", () => lines.close());
  lines.on("SIGINT", () => lines.close());
  if (prompts) {
    screen.around({ clear: () => process.stdout.write("\r\u001B[K"), draw: () => lines.prompt(true) });
    lines.prompt();
  }
  const target = { groupId: Number(room.groupId), groupType: room.groupType };
  for await (const line of lines) {
    if (line !== "")
      await sendLine(socket, target, line, prompts ? () => undefined : () => room.talk.done("Sent."), room);
    if (prompts) lines.prompt();
  }
}

/** A line that is refused does not end a conversation, but a script learns of it. */
async function sendLine(
  socket: RoomSocket,
  target: { readonly groupId: number; readonly groupType: number },
  line: string,
  sent: () => void,
  { talk }: RoomTalk,
): Promise<void> {
  try {
    await socket.send(target, line);
    sent();
  } catch (error) {
    talk.warn(messageOf(error));
    process.exitCode = 1;
  }
}
