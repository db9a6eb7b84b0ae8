import { TelexClientError } from "@telex/http/client";
import { Failure, messageOf } from "../errors/errors.ts";
import { Refusal } from "./refusal.ts";

/** The failure of a request to the server at an address, for a thrown value of the typed client or of `fetch`; any other value as it is. */
export function failureOf(error: unknown, url: string): unknown {
  if (error instanceof TelexClientError) return error.code === "unknown" ? noTelex(url) : new Refusal(error);
  // `fetch` throws a TypeError without a response; a response that is not JSON is a SyntaxError.
  if (error instanceof SyntaxError) return noTelex(url);
  return error instanceof TypeError || isTimeout(error) ? unreachable(url, error) : error;
}

/** True if the time of a signal ran out, also if another error reports it as its cause. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || isTimeout(error.cause));

const unreachable = (url: string, cause: unknown): Failure =>
  new Failure("unreachable", `No answer from ${url}: ${reasonOf(cause)}.`, { cause });

/** The failure if a server does not answer as Telex does. */
export const noTelex = (url: string): Failure =>
  new Failure("no_telex", `${new URL(url).origin} answers, but it is not a Telex server.`);

/** The reason of a failure. The message of `fetch` itself is only "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = messageOf(cause);
  return message === "" ? "the connection failed" : message.replace(/\.$/, "");
}
