import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "../response/http-response.ts";
import type { Handle } from "./paths.ts";

/** The origins whose pages may read responses: exact ones such as `https://app.example`, or `["*"]` for all. */
type CorsOrigins = readonly string[];

type Headers = Readonly<Record<string, string>>;

/** The CORS protocol of the Fetch standard for one list of origins: answers preflights, and lets allowed pages read responses. */
export type Cors = (handle: Handle) => Handle;

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
  "x-telex-ignored",
  "x-telex-model",
].join(", ");

const resourcePolicy = "cross-origin-resource-policy";

const methods = "GET, HEAD, POST, PATCH, DELETE";

/** Seconds for which a browser keeps the reply to a preflight. */
const preflightAge = "600";

/** A request for an embedded picture names no origin, so the policy of downloads cannot list any. */
const withEmbedding = (response: HttpResponse): HttpResponse =>
  response.headers[resourcePolicy] === undefined
    ? response
    : { ...response, headers: { ...response.headers, [resourcePolicy]: "cross-origin" } };

function withVary(response: HttpResponse, fields: string): HttpResponse {
  const vary = response.headers["vary"];
  return { ...response, headers: { ...response.headers, vary: vary === undefined ? fields : `${vary}, ${fields}` } };
}

const isPreflight = (exchange: Exchange): boolean =>
  exchange.method === "OPTIONS" &&
  ["origin", "access-control-request-method"].every((name) => (exchange.header(name) ?? "") !== "");

/** Allows no origins. */
export const closed: Cors = (handle) => handle;

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && !text.includes("*") && URL.parse(text)?.origin === text;

const isOrigins = (origins: CorsOrigins): boolean =>
  origins.every(isOrigin) || (origins.length === 1 && origins[0] === "*");

function checkOrigins(origins: CorsOrigins): void {
  if (isOrigins(origins)) return;
  throw new TypeError(
    `The option cors must be origins such as https://app.example, or ["*"] alone, not ${JSON.stringify(origins)}.`,
  );
}

/** The response to an allowed origin's preflight request. */
function preflightResponse(exchange: Exchange): HttpResponse {
  const requested = exchange.header("access-control-request-headers");
  return {
    status: 204,
    headers: {
      vary: "access-control-request-headers",
      "access-control-allow-methods": methods,
      "access-control-max-age": preflightAge,
      ...(requested === null ? {} : { "access-control-allow-headers": requested }),
    },
    body: null,
  };
}

/**
 * CORS of its own, not that of the framework: responses are written without its response object, and one that lists origins
 * must name `Origin` in `Vary` also for those that are not allowed, so that no cache gives the response of one to another.
 * @throws TypeError for a value that is not an origin
 */
export function createCors(origins: CorsOrigins): Cors {
  if (origins.length === 0) return closed;
  checkOrigins(origins);
  const all = origins.includes("*");
  const allowing = (exchange: Exchange): Headers | null => {
    const origin = exchange.header("origin");
    if (origin === null) return null;
    // Without credentials: browsers refuse them if all origins are allowed.
    if (all) return { "access-control-allow-origin": "*" };
    if (!origins.includes(origin)) return null;
    return { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
  };
  const open = (response: HttpResponse): HttpResponse => withEmbedding(all ? response : withVary(response, "origin"));
  const allow = (response: HttpResponse, exchange: Exchange): HttpResponse => {
    const headers = allowing(exchange);
    if (headers === null) return open(response);
    const added = { ...headers, "access-control-expose-headers": exposed };
    return open({ ...response, headers: { ...response.headers, ...added } });
  };
  return (handle) => async (exchange) => {
    const isAsked = isPreflight(exchange) && allowing(exchange) !== null;
    return allow(isAsked ? preflightResponse(exchange) : await handle(exchange), exchange);
  };
}
