import { Failure } from "../errors.ts";
import { isObject } from "../unknown.ts";

/** A JSON object that goes over a WebSocket. */
export type Frame = Readonly<Record<string, unknown>>;

/** What a line tells. */
export interface LineEvents {
  frame(frame: Frame): void;
  /** Called once, with the WebSocket's code. */
  closed(code: number, reason: string): void;
}

/** An open WebSocket. */
export interface Line {
  send(frame: Frame): void;
  close(): void;
}

/** Where a line goes. The token is not part of the address, so that no proxy logs it. */
export interface Destination {
  readonly address: string;
  readonly token: string;
}

/** Opens a line; what lies between the two ends can be put around it. */
export type Dial = (destination: Destination, events: LineEvents) => Promise<Line>;

/**
 * A WebSocket to this address.
 * @throws Failure `unreachable`
 */
export const dialWebSocket: Dial = async ({ address, token }, events) => {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  socket.addEventListener("message", ({ data }) => {
    const frame: unknown = typeof data === "string" ? JSON.parse(data) : null;
    if (isFrame(frame)) events.frame(frame);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(unreachable(address)));
  });
  socket.addEventListener("close", ({ code, reason }) => events.closed(code, reason));
  return { send: (frame) => socket.send(JSON.stringify(frame)), close: () => socket.close(1000) };
};

const isFrame = (value: unknown): value is Frame => isObject(value);

const unreachable = (address: string): Failure =>
  new Failure("unreachable", `No WebSocket connection to ${new URL(address).host}.`);
