/**
 * The minimal cost of a streamed reply through a server of `node:http`: `node bench/limits/chat.ts <folder> <upstream URL>`. The program
 * parses each event of the upstream, and writes its own event with a number, or a frame of a socket. It has no users, stores nothing, and
 * has no flow control.
 */
import { hash } from "node:crypto";
import { createServer, request } from "node:http";
import type { Duplex } from "node:stream";
import { createParser } from "eventsource-parser";

const [, upstream = ""] = process.argv.slice(2);

const contentOf = (data: string): string => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own upstream sends
  const { choices } = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
  return choices[0]?.delta.content ?? "";
};

/** Sends the question to the upstream, and reports each piece and the end. */
function ask(content: unknown, told: { readonly delta: (delta: string) => void; readonly end: () => void }): void {
  const headers = { "content-type": "application/json" };
  const asking = request(`${upstream}/chat/completions`, { method: "POST", headers, agent: false }, (answer) => {
    const parser = createParser({
      onEvent({ data }) {
        const delta = data === "[DONE]" ? "" : contentOf(data);
        if (delta !== "") told.delta(delta);
      },
    });
    answer.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
    answer.on("end", told.end);
  });
  asking.end(JSON.stringify({ messages: [{ role: "user", content }], stream: true }));
}

/** The field `content` of a JSON text. */
const questionOf = (text: string): unknown => Reflect.get(Object(JSON.parse(text)), "content");

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    let number = 0;
    ask(questionOf(Buffer.concat(chunks).toString()), {
      delta(delta) {
        number += 1;
        res.write(`id: ${number}\nevent: ChatDelta\ndata: ${JSON.stringify({ conversationId: 1, delta })}\n\n`);
      },
      end: () => void res.end("event: ChatResult\ndata: {}\n\n"),
    });
  });
});

function send(socket: Duplex, value: object): void {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 2 : 4;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = 0x81;
  frame[1] = length < 126 ? length : 126;
  if (length >= 126) frame.writeUInt16BE(length, 2);
  frame.write(text, start);
  socket.write(frame);
}

server.on("upgrade", ({ headers }, socket: Duplex) => {
  const accept = hash("sha1", `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, "base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on("error", () => socket.destroy());
  // One short frame, masked with zeros, that comes in one piece.
  socket.once("data", (frame: Buffer) => {
    ask(questionOf(frame.toString("utf8", 6)), {
      delta: (delta) =>
        send(socket, { type: "ChatDelta", code: 200, identifier: 1, data: { conversationId: 1, delta } }),
      end: () => send(socket, { type: "ChatResult", code: 200, identifier: 1, data: {}, msg: "success" }),
    });
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  console.log(JSON.stringify({ port, tokens: ["none"] }));
});
process.stdin.on("data", () => {
  globalThis.gc?.();
});
