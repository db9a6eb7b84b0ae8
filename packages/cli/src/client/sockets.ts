import { type Connect, SocketError } from "@telex/ws/client";
import { Failure } from "../errors/errors.ts";

/** The WebSocket of Node. */
export const connectSocket: Connect = (address, protocols) => new WebSocket(address, protocols);

/** The failure of a connection attempt. */
export const noSocket = (url: string): Failure =>
  new Failure("unreachable", `No WebSocket connection to ${new URL(url).host}.`);

const reasons: Readonly<Record<number, string>> = {
  1001: "The server is stopping.",
  1006: "The connection broke.",
  1013: "The connection was too slow for its messages.",
  4401: "The token is not valid, or no longer valid.",
  4409: "Another connection of this device is open.",
};

/** Translates an error of a call or connection: `refused` with the server's message, or `connection_ended`. */
export function socketFailure(error: unknown): unknown {
  if (!(error instanceof SocketError)) return error;
  if (error.kind === "refused") return new Failure("refused", error.message);
  return new Failure("connection_ended", reasons[error.code] ?? error.message);
}
