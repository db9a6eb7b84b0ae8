import { type Caller, TelexError } from "@telex/core";
import { callerAddress, type RateLimiter } from "@telex/core/transport";
import { type BodyLimits, bodySizeOf, isText, readJson, readText } from "../request/body.ts";
import { Call } from "../request/call.ts";
import { type Exchange, refuserOf } from "../request/exchange.ts";
import { createTextReader, type TextReader, type Texts } from "../request/input.ts";
import { readToken } from "../request/token.ts";
import { readUpload } from "../request/upload.ts";
import { placeholder } from "../response/download.ts";
import type { HttpResponse } from "../response/http-response.ts";
import type { Handle } from "./direct.ts";
import { type Endpoint, isOpen } from "./operations.ts";
import { rateHeaders } from "./rate-headers.ts";
import type { HttpTelex } from "../limits.ts";

/** What the handlers of all endpoints share. */
export interface HandlerOptions {
  readonly telex: HttpTelex;
  readonly limiter: RateLimiter;
  readonly missingImage: "error" | "placeholder";
  readonly queryTokens: boolean;
  /** Proxies before the server that add to `X-Forwarded-For`. */
  readonly proxies: number;
}

/** One endpoint with everything that is worked out for it once. */
interface Handling extends HandlerOptions {
  readonly endpoint: Endpoint;
  readonly reader: TextReader;
  /** True if a request without a token may be right. */
  readonly open: boolean;
  readonly bodyLimits: BodyLimits;
}

const addressOf = ({ exchange }: Call, proxies: number): string | null =>
  callerAddress({ socketAddress: exchange.address, forwardedFor: exchange.header("x-forwarded-for") }, proxies);

function authenticate(handling: Handling, call: Call, query: Texts): Promise<Caller> {
  const { endpoint, telex, queryTokens, proxies, open } = handling;
  const header = call.exchange.header("authorization");
  const takesQuery = endpoint.route.token === "header_or_query" && queryTokens;
  const carried = { header, query: takesQuery ? query.get("access_token") : undefined };
  call.hadToken = header !== null || carried.query !== undefined;
  return telex.authenticate(readToken(carried, open), () => addressOf(call, proxies));
}

function count({ limiter, proxies, endpoint }: Handling, call: Call, caller: Caller): void {
  const address = (): string | null => addressOf(call, proxies);
  const cost = caller.kind === "token" ? 1 : (endpoint.route.cost ?? 1);
  const counted = limiter.count(caller, address, cost);
  call.headers = rateHeaders(counted);
  if (counted.refusal !== null) throw counted.refusal;
  call.admit(caller, (calls) => limiter.charge(caller, address, calls));
}

/** Characters of a response that count as one more call: a long page of history costs more than a short one. */
const callLength = 64 * 1024;

/** What the length of a response counts as. Files and pictures do not count: they cost no more than their bytes. */
const lengthCost = ({ body }: HttpResponse): number =>
  typeof body === "string" ? Math.floor(body.length / callLength) : 0;

/** The body with the fields of the path, which count. */
function withPath(body: unknown, reader: TextReader, params: Exchange["params"]): unknown {
  if (Object.keys(params).length === 0) return body;
  const path = reader.values(new Map(), params);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? { ...body, ...path } : body;
}

/** The input of a call, but for a file. */
async function readInput({ endpoint, reader, bodyLimits }: Handling, call: Call, query: Texts): Promise<unknown> {
  const { exchange } = call;
  const { input, text } = endpoint.route;
  if (text !== undefined && isText(exchange)) {
    return { ...reader.values(query, exchange.params), [text]: await readText(exchange, bodyLimits) };
  }
  if (input !== "json") return reader.values(query, exchange.params);
  return withPath(await readJson(exchange, bodyLimits), reader, exchange.params);
}

const inputReader =
  (handling: Handling, call: Call, query: Texts): Parameters<Endpoint["answer"]>[1] =>
  async (use) => {
    const { route } = handling.endpoint;
    const input = await readInput(handling, call, query);
    if (route.input !== "upload") return await use(input);
    const upload = readUpload(call.exchange, handling.telex.limits, route.raw ?? false);
    try {
      return await use({ ...Object(input), file: upload.file });
    } finally {
      upload.close();
    }
  };

async function perform(handling: Handling, call: Call): Promise<HttpResponse> {
  const query = handling.reader.parse(call.exchange.search);
  const caller = await authenticate(handling, call, query);
  count(handling, call, caller);
  // Before the body is read: nobody without a token makes the server take one.
  if (!handling.open && caller.kind !== "token") throw new TelexError("invalid_token");
  const response = await handling.endpoint.answer(call, inputReader(handling, call, query));
  call.charge(lengthCost(response));
  return response;
}

async function recover({ endpoint, telex, missingImage }: Handling, call: Call, cause: unknown): Promise<HttpResponse> {
  const error = TelexError.from(cause);
  const { code, incident } = error;
  if (error.cause !== undefined && !TelexError.is(error.cause) && code !== "invalid_request") {
    telex.log.error("http.failed", { operation: endpoint.name, code, incident }, error.cause);
  }
  const hasPlaceholder = endpoint.route.placeholder === true && missingImage === "placeholder";
  if (code === "file_not_found" && hasPlaceholder) return await placeholder(call.exchange, call.refuse);
  return call.refuse(error, { hadToken: call.hadToken });
}

/** The handler of one endpoint: who calls, with what, and how a failure is answered. */
export function createHandler(endpoint: Endpoint, options: HandlerOptions): Handle {
  const { operation, refuser = refuserOf } = endpoint;
  const { limits, locale } = options.telex;
  const { input, limit = "bodySize" } = endpoint.route;
  const bodyLimits = input === "json" ? { ...limits, bodySize: bodySizeOf(operation, limits[limit]) } : limits;
  const reader = createTextReader(operation.input);
  const handling: Handling = { ...options, endpoint, reader, open: isOpen(operation), bodyLimits };
  return async (exchange) => {
    const call = new Call(exchange, refuser(exchange, locale));
    let response: HttpResponse;
    try {
      response = await perform(handling, call);
    } catch (cause) {
      call.fail();
      response = await recover(handling, call, cause);
    }
    return call.headers === null ? response : { ...response, headers: { ...response.headers, ...call.headers } };
  };
}
