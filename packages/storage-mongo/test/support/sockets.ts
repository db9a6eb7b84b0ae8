import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Records the sockets that are opened until the end of the test. */
export function noteSockets(): Set<Socket> {
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return;
    if (message.socket instanceof Socket) sockets.add(message.socket);
  };
  subscribe("net.client.socket", note);
  onTestFinished(() => void unsubscribe("net.client.socket", note));
  return sockets;
}
