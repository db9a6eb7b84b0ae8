import { connect, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import { waitFor } from "./wait.ts";

/** Milliseconds between two attempts to connect for the first time. */
const pause = 500;

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;

/** True if NATS did not respond; false if NATS refused the server or speaks another protocol. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError") return true;
  return [codeOf(error), codeOf(error.cause)].some((code) => typeof code === "string" && networkCodes.has(code));
}

/** Tries to connect until it succeeds, or returns null when the signal aborts. `failed` is called after each failed attempt. */
export async function dial(
  options: NodeConnectionOptions,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<NatsConnection | null> {
  while (!signal.aborted) {
    try {
      const connection = await connect(options);
      if (!signal.aborted) return connection;
      await connection.close();
    } catch (error) {
      failed(error);
    }
    await waitFor(pause, signal);
  }
  return null;
}
