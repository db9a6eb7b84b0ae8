import { once } from "node:events";
import { argv } from "node:process";
import { WebSocket } from "ws";

// A process of many bots that send as much as they can, most of it wrong, and read nothing. Its parent ends it.
const [, , address = "", count = "0"] = argv;

const said = { post_type: "message", message_type: "group", group_id: 404, user_id: 1, self_id: 9000, time: 1 };
const text = (content: string) => ({ type: "text", data: { text: content } });
const frames: readonly string[] = [
  "no JSON",
  JSON.stringify({ ...said, message_id: {}, message: "x" }),
  JSON.stringify({ ...said, message_id: 1, message: "nobody is in this group" }),
  JSON.stringify({ ...said, message_id: 2, message: Array.from({ length: 200 }, () => text("gigantic")) }),
  JSON.stringify({ ...said, message_id: 3, message: [text("x".repeat(100_000))] }),
  JSON.stringify({ post_type: "meta_event", meta_event_type: "heartbeat", interval: -1, self_id: 9000, time: 1 }),
  JSON.stringify({ status: "ok", retcode: 0, data: null, echo: "nobody asked" }),
];

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Writes as fast as Telex reads. */
async function flood(socket: WebSocket): Promise<void> {
  while (socket.readyState === WebSocket.OPEN) {
    for (const frame of frames) socket.send(frame);
    socket.ping("x".repeat(125));
    while (socket.bufferedAmount > 2 ** 17 && socket.readyState === WebSocket.OPEN) await soon();
    await soon();
  }
}

/** A frame that never ends. */
async function hold(socket: WebSocket): Promise<void> {
  while (socket.readyState === WebSocket.OPEN) {
    socket.send("x".repeat(2 ** 16), { fin: false });
    while (socket.bufferedAmount > 2 ** 17 && socket.readyState === WebSocket.OPEN) await soon();
    await soon();
  }
}

/** A bot that comes again whenever it is cut off. */
async function run(number: number): Promise<never> {
  for (;;) {
    const socket = new WebSocket(address, { headers: { authorization: `Bearer flood-${number}` } });
    socket.on("error", () => undefined);
    socket.pause();
    await Promise.race([once(socket, "open"), once(socket, "close")]).catch(() => undefined);
    await (number % 4 === 0 ? hold(socket) : flood(socket));
    await soon();
  }
}

for (let number = 1; number <= Number(count); number += 1) void run(number);
process.send?.("flooding");
