import { createClient, TelexClientError } from "@telex/http/client";
import type { Client } from "@telex/http/client";
import { Failure } from "../errors.ts";
import type { Server } from "../options.ts";
import { noTelex, unreachable } from "./api.ts";

/** A redirect would take what is sent, such as a token to revoke, to another place, and make a GET of a change. */
const send = async (request: Request): Promise<Response> => await fetch(request, { redirect: "error" });

/**
 * Does something with the typed client of a server.
 * @throws Failure what the server answered, `unreachable` when no answer came, `no_telex` when something else answers
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
  // What `fetch` throws where there is no response, and a response that is not JSON.
  if (error instanceof SyntaxError) return noTelex(url);
  return error instanceof TypeError ? unreachable(url, error) : error;
}
