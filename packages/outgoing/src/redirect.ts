import type { IncomingMessage } from "node:http";
import { OutgoingError } from "./error.ts";

const redirects: readonly unknown[] = [301, 302, 303, 307, 308];

/**
 * The target of a redirect; null if the response is not a redirect.
 * @throws OutgoingError `bad_redirect` if that is another host, not a URL, or less secure
 */
export function redirectOf(
  from: URL,
  { statusCode, headers }: Pick<IncomingMessage, "statusCode" | "headers">,
): URL | null {
  if (!redirects.includes(statusCode) || headers.location === undefined) return null;
  const to = URL.parse(headers.location, from);
  const safe =
    to !== null && to.hostname === from.hostname && (to.protocol === from.protocol || to.protocol === "https:");
  if (!safe) throw new OutgoingError("bad_redirect");
  return to;
}
