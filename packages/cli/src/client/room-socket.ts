import { randomUUID } from "node:crypto";
import { Failure } from "../errors.ts";
import type { Server } from "../options.ts";
import { isObject, textOf } from "../unknown.ts";

/** A frame of the server. */
export type Frame = Readonly<Record<string, unknown>>;

/** A connection to the chat rooms of a user. */
export interface RoomSocket {
  /**
   * Sends one text and resolves when it is stored.
   * @throws Failure with the server's sentence when it refuses
   */
  send(room: { readonly groupId: number; readonly groupType: number }, text: string): Promise<void>;
  /** Ends the connection and resolves when it has ended. */
  close(): Promise<void>;
  /** Resolves when the connection has ended: null where this side ended it, else why. */
  readonly ended: Promise<Failure | null>;
}

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: Failure) => void;
}

/** Connects; what others write after the message `since` goes to `receive`, and what the user writes elsewhere too. */
export async function openRoomSocket(
  server: Server,
  since: number | null,
  receive: (frame: Frame) => void,
): Promise<RoomSocket> {
  const pending = new Map<string, Pending>();
  const query = since === null ? "?echo=1" : `?echo=1&since=${since}`;
  const address = `${server.url.replace(/^http/, "ws")}/external/api/v1/im/imWebSocket/${encodeURIComponent(server.token)}`;
  const socket = new WebSocket(`${address}${query}`);
  const state = { closing: false };
  const ended = new Promise<Failure | null>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      const failure = state.closing ? null : new Failure("connection_ended", whyEnded(code, reason));
      for (const { reject } of pending.values())
        reject(failure ?? new Failure("connection_ended", "The answer is not known."));
      resolve(failure);
    });
  });
  socket.addEventListener("message", ({ data }) => {
    const frame = readFrame(data);
    if (frame !== null && !settle(frame, pending)) receive(frame);
  });
  await opened(socket, server.url);
  return {
    async send(room, text) {
      const identifier = randomUUID();
      const answered = new Promise<void>((resolve, reject) => pending.set(identifier, { resolve, reject }));
      socket.send(
        JSON.stringify({ identifier, command: "sendGroupMessage", ...room, message: text, nonce: identifier }),
      );
      await answered.finally(() => pending.delete(identifier));
    },
    async close() {
      state.closing = true;
      socket.close(1000);
      await ended;
    },
    ended,
  };
}

async function opened(socket: WebSocket, url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Failure("unreachable", `No connection to ${url}.`)));
  });
}

function readFrame(data: unknown): Frame | null {
  const frame: unknown = typeof data === "string" ? JSON.parse(data) : null;
  return isFrame(frame) ? frame : null;
}

const isFrame = (value: unknown): value is Frame => isObject(value);

/** True for the answer to something that was sent; everything else is news. */
function settle(frame: Frame, pending: ReadonlyMap<string, Pending>): boolean {
  const waiting = pending.get(String(frame["identifier"]));
  if (waiting === undefined) return false;
  if (frame["code"] === 200) waiting.resolve();
  else waiting.reject(new Failure("refused", textOf(frame, "msg", "The token is not valid.")));
  return true;
}

const reasons: Readonly<Record<number, string>> = {
  1001: "The server is stopping.",
  1006: "The connection broke.",
  1013: "The connection was too slow for what is written in the rooms.",
  4401: "The token is not valid any more.",
};

const whyEnded = (code: number, reason: string): string =>
  reasons[code] ?? `The server ended the connection (${code}${reason === "" ? "" : `, ${reason}`}).`;
