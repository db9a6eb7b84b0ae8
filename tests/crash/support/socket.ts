import { type ClientConnection, openChannel, type OpenOptions, SocketError } from "@telex/ws/client";

/** The channels that the tests drive. */
type Driven = "rooms" | "teleprinter";

/** An open connection. */
export type Socket<N extends Driven> = ClientConnection<N>;

/** Opens one connection without reconnecting; null if the server rejects it. */
export const openSocket = async <N extends Driven>(options: OpenOptions<N>): Promise<Socket<N> | null> =>
  await openChannel(options).catch(() => null);

/** The code of the response: 200 for success, null if the connection ended first. */
export async function codeOf(call: Promise<unknown>): Promise<number | null> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    return error.kind === "ended" ? null : error.code;
  }
}
