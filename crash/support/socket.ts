import { once } from "node:events";
import { at, parse } from "test-support/json";

/** A frame of the server. */
export interface Frame {
  readonly type: string;
  readonly code: number;
  readonly data: unknown;
}

/** What was answered to a command; null when the connection ended first. */
export type Answer = Frame | null;

/** A WebSocket whose commands are matched with their answers. */
export interface Socket {
  /** Sends a command and waits for its answer. */
  ask(command: string, fields: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Resolves with the close code when the connection is over. */
  readonly closed: Promise<number>;
  close(): void;
}

const toFrame = (frame: unknown): Frame => ({
  type: String(at(frame, "type")),
  code: Number(at(frame, "code")),
  data: at(frame, "data"),
});

/**
 * Opens a connection.
 * @param told gets every frame that answers no command, in order
 * @returns null where the connection was not accepted
 */
export async function openSocket(url: string, told: (frame: Frame) => void): Promise<Socket | null> {
  const socket = new WebSocket(url);
  const waiting = new Map<string, (answer: Answer) => void>();
  let count = 0;
  const over = Promise.withResolvers<number>();
  socket.addEventListener("close", ({ code }) => {
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
    over.resolve(code);
  });
  socket.addEventListener("error", () => undefined);
  socket.addEventListener("message", ({ data }) => {
    const frame = parse(String(data));
    const identifier = at(frame, "identifier");
    const settle = typeof identifier === "string" ? waiting.get(identifier) : undefined;
    if (settle === undefined) return told(toFrame(frame));
    waiting.delete(String(identifier));
    settle(toFrame(frame));
  });
  await Promise.race([once(socket, "open"), over.promise]);
  if (socket.readyState !== WebSocket.OPEN) return null;
  return {
    async ask(command, fields) {
      if (socket.readyState !== WebSocket.OPEN) return null;
      count += 1;
      const identifier = `c${count}`;
      const answer = new Promise<Answer>((resolve) => waiting.set(identifier, resolve));
      socket.send(JSON.stringify({ ...fields, identifier, command }));
      return await answer;
    },
    closed: over.promise,
    close: () => socket.close(),
  };
}
