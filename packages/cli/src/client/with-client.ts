import { createClient, TelexClientError } from "@telex/http/client";
import type { Client } from "@telex/http/client";
import { Failure } from "../errors/errors.ts";
import type { Server } from "./server.ts";
import { noTelex, unreachable } from "./api.ts";

/** Rejects redirects, which would send tokens elsewhere and turn a change into a GET. */
const send = async (request: Request): Promise<Response> => await fetch(request, { redirect: "error" });

/**
 * Runs with the typed client of a server.
 * @throws Failure for an error response, `unreachable` if there is no response, `no_telex` if another kind of server answers
 */
export async function withClient<T>({ url, token }: Server, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(createClient({ url, token, language: "en", fetch: send }));
  } catch (error) {
    throw failureOf(error, url);
  }
}

function failureOf(error: unknown, url: string): unknown {
  if (error instanceof TelexClientError) {
    return error.code === "unknown" ? noTelex(url) : new Failure(error.code, error.message, { issues: error.issues });
  }
  // `fetch` throws these errors without a response; a response that is not JSON is a SyntaxError.
  if (error instanceof SyntaxError) return noTelex(url);
  return error instanceof TypeError ? unreachable(url, error) : error;
}
