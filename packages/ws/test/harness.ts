import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createMemoryBlobs } from "@telex/blobs/memory";
import type { Clock, Limits, MessageView, Plugin, Storage, Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import type { GroupType } from "@telex/core/storage";
import { createScene, type LogCollector, type Person } from "@telex/conformance/testing";
import type { Locale } from "@telex/core/transport";
import { createMemoryStorage } from "@telex/storage-memory";
import { onTestFinished } from "vitest";
import { openRawSocket, type RawSocket } from "test-support/raw-socket";
import { createWs, type Ws, type WsOptions } from "../src/index.ts";

export interface StartOptions {
  readonly limits?: Partial<Limits>;
  readonly locale?: Locale;
  readonly clock?: Clock;
  readonly ws?: WsOptions;
  readonly plugins?: readonly Plugin[];
  /** Wraps the storage. */
  readonly wrap?: (storage: Storage) => Storage;
  /** Wraps Telex for the sockets. */
  readonly watch?: (telex: Telex) => Telex;
}

export interface Running {
  readonly telex: Telex;
  readonly ws: Ws;
  readonly log: LogCollector;
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly url: (token: string, query?: string) => string;
  /** Adds a user with a token. */
  readonly user: (nickname: string, scopes?: readonly string[]) => Promise<Person>;
  readonly group: (members: readonly Person[], groupType?: number) => Promise<number>;
}

export const chatPath = "/external/api/v1/im/imWebSocket";

/** Starts Telex with its sockets on its own port, until the end of the test. */
export async function startTelex(options: StartOptions = {}): Promise<Running> {
  const storage = createMemoryStorage();
  const { telex, log, person, room } = await createScene({
    storage: options.wrap?.(storage) ?? storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    limits: options.limits ?? {},
    locale: options.locale ?? "zh-CN",
    plugins: options.plugins ?? [],
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const ws = createWs(options.watch?.(telex) ?? telex, options.ws);
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (!ws.handleUpgrade(request, socket, head)) socket.end("HTTP/1.1 418 Not Ours\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await ws.close();
    await telex.close();
    server.close();
  });
  return {
    telex,
    ws,
    log,
    port,
    sockets,
    url: (token, query = "") => `ws://127.0.0.1:${port}${options.ws?.basePath ?? ""}${chatPath}/${token}${query}`,
    user: (nickname, scopes = ["chat"]) => person(nickname, { scopes }),
    group(members, groupType = 1) {
      const network = groupType === 1 || groupType === 2 ? {} : { ext: "500", ...(groupType > 3 && { bot: "bot-1" }) };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests name the types by their codes
      return room(members, { groupType: groupType as GroupType, ...network });
    },
  };
}

export interface Frame {
  readonly type: string;
  readonly code: number;
  readonly identifier?: string | number | null;
  readonly msg?: string;
  readonly data?: unknown;
}

/** A connection that queues received frames. */
export interface Client extends RawSocket {
  readonly next: () => Promise<Frame>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what is in it
export const parseFrame = (text: string): Frame => JSON.parse(text) as Frame;

/** Connects, and waits until the connection is open. It is closed after the test. */
export async function open(
  url: string,
  protocols: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const raw = await openRawSocket(url, protocols, { headers });
  onTestFinished(() => raw.socket.terminate());
  return { ...raw, next: async () => parseFrame(await raw.nextText()) };
}

export const textTo = (groupId: number, text: string, identifier: unknown = text) => ({
  identifier,
  command: "sendGroupMessage",
  groupId,
  groupType: 1,
  message: [{ type: "text", data: { text } }],
});

/** The message of a mirror frame. */
export const messageOf = ({ data }: Frame): MessageView =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what is in it
  data as MessageView;

/** The segments of a message. */
export const segmentsOf = ({
  content,
}: MessageView): readonly Readonly<Record<string, Readonly<Record<string, string>>>>[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what is in it
  JSON.parse(content) as Readonly<Record<string, Readonly<Record<string, string>>>>[];

/** The text of a mirrored message. */
export const textOf = (frame: Frame): string =>
  segmentsOf(messageOf(frame))
    .map(({ text }) => text?.["text"] ?? "")
    .join("");

/** A bare TCP client. */
export interface RawClient {
  readonly socket: Socket;
  /** The received chunks. */
  readonly chunks: Buffer[];
  /** Resolves when the received bytes satisfy a condition. */
  until(passes: (received: Buffer) => boolean): Promise<Buffer>;
  readonly ended: Promise<void>;
}

export function openRaw(port: number): RawClient {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    chunks,
    until: (passes) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const received = Buffer.concat(chunks);
          if (!passes(received)) return;
          socket.off("data", look);
          resolve(received);
        };
        socket.on("data", look);
        socket.on("close", () => reject(new Error(`closed after ${Buffer.concat(chunks).toString("latin1")}`)));
        look();
      }),
    ended: new Promise((resolve) => socket.on("close", () => resolve())),
  };
}

/** The text of an upgrade request. */
export const upgradeRequest = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): string => {
  const all = {
    Host: "telex.test",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
};

/** A masked client frame. */
export function clientFrame(opcode: number, payload: Uint8Array | string, fin = true): Buffer {
  const body = Buffer.from(payload);
  const { length } = body;
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.alloc(start + 4 + length);
  frame[0] = (fin ? 0x80 : 0) | opcode;
  frame[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (start === 4) frame.writeUInt16BE(length, 2);
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  // A mask of zeros does not change the payload.
  body.copy(frame, start + 4);
  return frame;
}
