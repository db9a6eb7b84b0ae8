import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import { connect } from "node:net";

/** The number of pieces of a reply, and the milliseconds between them. */
export interface Pace {
  readonly deltas: number;
  readonly gap: number;
}

/** A service with the interface of OpenAI. Each piece contains the time at which it was sent. */
export interface Upstream {
  /** The address before `/chat/completions`. */
  readonly url: string;
  /** Applies to replies that begin later. */
  pace: Pace;
  /** The times at which clients aborted the replies to these questions. */
  readonly closed: ReadonlyMap<string, number>;
  stop(): void;
}

const chunk = (fields: object): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-123456789",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "bench",
    ...fields,
  })}\n\n`;
const piece = (delta: object, finish: string | null): string =>
  chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });

function say(res: ServerResponse, left: number, gap: number): void {
  if (res.destroyed) return;
  if (left === 0) {
    const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
    res.end(`${piece({}, "stop")}${chunk({ choices: [], usage })}data: [DONE]\n\n`);
    return;
  }
  res.write(piece({ content: `@${performance.now().toFixed(3)};` }, null));
  setTimeout(say, gap, res, left - 1, gap);
}

const portOf = (address: unknown): number =>
  typeof address === "object" && address !== null && "port" in address ? Number(address.port) : 0;

/** Starts a service in this process. */
export async function startUpstream(): Promise<Upstream> {
  const closed = new Map<string, number>();
  const server = createServer((req, res) => {
    let body = "";
    req.setEncoding("utf8").on("data", (text: string) => (body += text));
    req.on("end", () => {
      const [, question = ""] = /"content":"([^"]*)"/.exec(body) ?? [];
      res.on("close", () => {
        if (!res.writableFinished) closed.set(question, performance.now());
      });
      const { deltas, gap } = upstream.pace;
      res.writeHead(200, { "content-type": "text/event-stream" });
      // Spread over the gap, as independent models would be.
      setTimeout(say, Math.random() * gap, res, deltas, gap);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream: Upstream = {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    pace: { deltas: 1, gap: 1 },
    closed,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return upstream;
}

/** The server and the user of a question. */
export interface Target {
  readonly port: number;
  readonly token: string;
}

/** One reply in progress. */
export interface Reading {
  /** Resolves with the first piece. */
  readonly begun: Promise<void>;
  /** Resolves with the milliseconds that each piece took from the upstream. */
  readonly whole: Promise<readonly number[]>;
}

/** Requests one reply. @param heard called with the number of pieces so far */
export type Read = (target: Target, heard: (pieces: number) => void) => Promise<Reading>;

/** Finds the pieces in a text that arrives in parts. */
function createReading(heard: (pieces: number) => void) {
  const begun = Promise.withResolvers<void>();
  const whole = Promise.withResolvers<readonly number[]>();
  const took: number[] = [];
  let rest = "";
  return {
    reading: { begun: begun.promise, whole: whole.promise },
    fail: (error: Error) => whole.reject(error),
    end: () => whole.resolve(took),
    /** Parses a text, and returns the rest after its last piece. */
    take: (text: string): string => {
      const [now, before] = [performance.now(), took.length];
      rest += text;
      let end = 0;
      for (const match of rest.matchAll(/"delta":"@([\d.]+);/g)) {
        took.push(now - Number(match[1]));
        end = match.index + match[0].length;
      }
      rest = rest.slice(end);
      if (took.length > 0) begun.resolve();
      heard(took.length - before);
      return rest;
    },
  };
}

/** One reply over server-sent events. */
export const readEvents: Read = ({ port, token }, heard) => {
  const { reading, take, end, fail } = createReading(heard);
  const path = "/external/api/v1/sseStream/chat";
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const options = { host: "127.0.0.1", port, path, method: "POST", headers, agent: false } as const;
  const asking = request(options, (answer) => {
    answer.setEncoding("utf8").on("data", (text: string) => void take(text));
    answer.on("end", end).on("error", fail);
  });
  asking.on("error", fail).end('{"content":"Say something"}');
  return Promise.resolve(reading);
};

/** A text as a client frame, masked with zeros. */
function frameOf(value: object): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  if (text.length > 125) throw new Error("Only short frames are sent.");
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}

/** A chat socket with one question. */
export interface ChatSocket extends Reading {
  stop(): void;
}

/** Requests one reply over a chat socket. */
export async function ask(
  { port, token }: Target,
  content: string,
  heard: (pieces: number) => void,
): Promise<ChatSocket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.write(
    `GET /external/api/v1/sseStream/webSocket/${token} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n` +
      "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  await once(socket, "data");
  const { reading, take, end, fail } = createReading(heard);
  socket.setEncoding("latin1").on("data", (text: string) => {
    if (!take(text).includes('"ChatResult"')) return;
    socket.destroy();
    end();
  });
  socket.on("close", () => fail(new Error("The socket closed before the result.")));
  socket.write(frameOf({ identifier: 1, command: "chat", content }));
  return { ...reading, stop: () => void socket.write(frameOf({ identifier: 2, command: "stop" })) };
}

/** One reply over a new chat socket. */
export const readSocket: Read = (target, heard) => ask(target, "Say something", heard);
