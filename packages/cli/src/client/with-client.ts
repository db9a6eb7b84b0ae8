import { createClient, readError } from "@telex/http/client";
import type { CallOptions, Client } from "@telex/http/client";
import { failureOf } from "./failures.ts";
import { patience } from "./patience.ts";
import { send, type Send } from "./requests.ts";
import type { Server } from "./server.ts";

/**
 * Calls a server with its typed client.
 * @throws Refusal for an error response
 * @throws Failure `unreachable` if there is no response, `no_telex` if another kind of server answers
 */
export type Calls = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/**
 * Creates the typed client of a server, for several calls.
 * @param through sends the requests; a simulation passes a network with faults
 */
export function callsTo({ url, token }: Server, through: Send = send): Calls {
  const client = createClient({ url, token, language: "en", fetch: through });
  return async (work) => await calling(url, () => work(client));
}

/** Calls the server at an address, and throws as {@link Calls} does. */
export async function calling<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, url);
  }
}

/** Runs with the typed client of a server, and throws as {@link Calls} does. */
export const withClient = async <T>(server: Server, work: (client: Client) => Promise<T>): Promise<T> =>
  await callsTo(server)(work);

/**
 * Limits the time of a call, which then fails as `unreachable`.
 * @param ms milliseconds, 30 s by default
 * @param signal ends the call earlier
 */
export const within = (ms = patience, signal?: AbortSignal): CallOptions => ({
  signal: AbortSignal.any([AbortSignal.timeout(ms), ...(signal === undefined ? [] : [signal])]),
});

/**
 * A successful response whose body the typed client would not stream.
 * @param path begins with a slash
 * @throws like {@link Calls}
 */
export async function openResponse({ url, token }: Server, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "accept-language": "en" };
  try {
    const response = await send(new Request(`${url}${path}`, { headers }));
    if (!response.ok) throw await readError(response);
    return response;
  } catch (error) {
    throw failureOf(error, url);
  }
}
