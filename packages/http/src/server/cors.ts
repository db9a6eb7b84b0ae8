import { type H3Event, isPreflightRequest } from "h3";
import type { Reply } from "../response/reply.ts";

/** The origins whose pages may read responses: exact ones such as `https://app.example`, or `["*"]` for all. */
export type CorsOrigins = readonly string[];

type Headers = Readonly<Record<string, string>>;

/** The CORS protocol of the Fetch standard for one list of origins. */
export interface Cors {
  /** The reply with the headers that let the page of an allowed origin read it, and embed a download. */
  readonly allow: (reply: Reply, event: H3Event) => Reply;
  /** The reply to a preflight of an allowed origin, before {@link Cors.allow}; null for every other request. */
  readonly preflight: (event: H3Event) => Reply | null;
}

/** Headers of responses, beyond those of the Fetch standard, that a client reads. */
const exposed = [
  "accept-ranges",
  "allow",
  "content-disposition",
  "content-range",
  "etag",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "www-authenticate",
  "x-cache",
].join(", ");

const resourcePolicy = "cross-origin-resource-policy";

const methods = "GET, HEAD, POST, PATCH, DELETE";

/** Seconds for which a browser keeps the reply to a preflight. */
const preflightAge = "600";

/** A request for an embedded picture names no origin, so the policy of downloads cannot list any. */
const withEmbedding = (reply: Reply): Reply =>
  reply.headers[resourcePolicy] === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, [resourcePolicy]: "cross-origin" } };

function withVary(reply: Reply, fields: string): Reply {
  const known = reply.headers["vary"];
  return { ...reply, headers: { ...reply.headers, vary: known === undefined ? fields : `${known}, ${fields}` } };
}

/** No origins: nothing is changed. */
export const closed: Cors = { allow: (reply) => reply, preflight: () => null };

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && !text.includes("*") && URL.parse(text)?.origin === text;

const isOrigins = (origins: CorsOrigins): boolean =>
  origins.every(isOrigin) || (origins.length === 1 && origins[0] === "*");

function checkOrigins(origins: CorsOrigins): void {
  if (!isOrigins(origins)) {
    throw new TypeError(
      `The option cors must be origins such as https://app.example, or ["*"] alone, not ${JSON.stringify(origins)}.`,
    );
  }
}

/**
 * CORS of its own, not that of the framework: replies are written without its response object, and one that lists origins
 * must name `Origin` in `Vary` also for those that are not allowed, so that no cache gives one's response to another.
 * @throws TypeError for what is not an origin
 */
export function createCors(origins: CorsOrigins): Cors {
  if (origins.length === 0) return closed;
  checkOrigins(origins);
  const all = origins.includes("*");
  const allowing = (event: H3Event): Headers | null => {
    const origin = event.req.headers.get("origin");
    if (origin === null) return null;
    // Without credentials: browsers would refuse them from everywhere, and rightly.
    if (all) return { "access-control-allow-origin": "*" };
    if (!origins.includes(origin)) return null;
    return { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
  };
  const open = (reply: Reply): Reply => withEmbedding(all ? reply : withVary(reply, "origin"));
  return {
    allow(reply, event) {
      const headers = allowing(event);
      if (headers === null) return open(reply);
      return open({
        ...reply,
        headers: { ...reply.headers, ...headers, "access-control-expose-headers": exposed },
      });
    },
    preflight(event) {
      if (!isPreflightRequest(event) || allowing(event) === null) return null;
      const asked = event.req.headers.get("access-control-request-headers");
      return {
        status: 204,
        headers: {
          vary: "access-control-request-headers",
          "access-control-allow-methods": methods,
          "access-control-max-age": preflightAge,
          ...(asked === null ? {} : { "access-control-allow-headers": asked }),
        },
        body: null,
      };
    },
  };
}
