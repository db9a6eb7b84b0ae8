import {
  type CallContext,
  type Caller,
  callerAddress,
  type ChatEvent,
  type Locale,
  type RateLimiter,
  type Telex,
  TelexError,
} from "@telex/core";
import type { H3Event } from "h3";
import { type BodyLimits, bodySizeOf, isText, readJson, readText } from "../request/body.ts";
import { placeholder } from "../response/download.ts";
import { type Exchange, openExchange, refuserOf } from "../request/exchange.ts";
import { createTextReader, type TextReader, type Texts } from "../request/input.ts";
import { type Endpoint, isOpen } from "./operations.ts";
import { nodeOf } from "./node.ts";
import { rateHeaders } from "./rate-headers.ts";
import type { Replies } from "../stream/replies.ts";
import type { Refuse, Reply } from "../response/reply.ts";
import type { Respond } from "./respond.ts";
import type { Route } from "../routes.ts";
import { readToken } from "../request/token.ts";
import { readUpload } from "../request/upload.ts";
import { type Writer, writerOf } from "../response/writers.ts";

/** What the handlers of all endpoints share. */
export interface HandlerOptions {
  readonly telex: Telex;
  readonly limiter: RateLimiter;
  readonly missingImage: "error" | "placeholder";
  readonly queryTokens: boolean;
  /** Proxies before the server that add to `X-Forwarded-For`. */
  readonly proxies: number;
  readonly replies: Replies;
  readonly respond: Respond;
}

/** What the answers of an endpoint look like. */
export interface Form {
  readonly write: Writer<unknown>;
  readonly refuser: (event: H3Event, fallback: Locale) => Refuse;
}

const ownForm = ({ reply }: Route): Form => ({ write: writerOf(reply), refuser: refuserOf });

/** One endpoint with everything that is worked out for it once. */
interface Handling extends HandlerOptions {
  readonly endpoint: Endpoint;
  readonly reader: TextReader;
  /** True where a request without a token may be right. */
  readonly open: boolean;
  readonly form: Form;
  readonly bodyLimits: BodyLimits;
}

function addressOf({ event }: Exchange, proxies: number): string | null {
  const socketAddress = nodeOf(event)?.req.socket.remoteAddress ?? null;
  return callerAddress({ socketAddress, forwardedFor: event.req.headers.get("x-forwarded-for") }, proxies);
}

async function authenticate(handling: Handling, exchange: Exchange, query: Texts): Promise<Caller> {
  const header = exchange.event.req.headers.get("authorization");
  const takesQuery = handling.endpoint.route.token === "header_or_query" && handling.queryTokens;
  const carried = { header, query: takesQuery ? query.get("access_token") : undefined };
  exchange.hadToken = header !== null || carried.query !== undefined;
  const address = (): string | null => addressOf(exchange, handling.proxies);
  return await handling.telex.authenticate(readToken(carried, handling.open), address);
}

function count(handling: Handling, exchange: Exchange, caller: Caller): void {
  const { limiter, proxies, endpoint } = handling;
  const cost = caller.kind === "token" ? 1 : (endpoint.route.cost ?? 1);
  const counted = limiter.count(caller, () => addressOf(exchange, proxies), cost);
  Object.assign(exchange.headers, rateHeaders(counted));
  if (counted.refusal !== null) throw counted.refusal;
}

/** Characters of a response that count as one more call: a long page of history costs more than a short one. */
const callLength = 64 * 1024;

/** What the length of a response counts as. Files and pictures do not count: they cost no more than their bytes. */
const lengthCost = ({ body }: Reply): number => (typeof body === "string" ? Math.floor(body.length / callLength) : 0);

/** A call that may be made. */
interface Permitted {
  readonly caller: Caller;
  readonly query: Texts;
}

/** The body with the fields of the path, which count. */
function withPath(body: unknown, path: Readonly<Record<string, unknown>>): unknown {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject && Object.keys(path).length > 0 ? { ...body, ...path } : body;
}

async function run(
  { endpoint, telex, reader, bodyLimits }: Handling,
  { event }: Exchange,
  { caller, query }: Permitted,
  context: CallContext,
): Promise<unknown> {
  const { input, raw, text } = endpoint.route;
  const params = event.context.params ?? {};
  if (text !== undefined && isText(event)) {
    const values = { ...reader.values(query, params), [text]: await readText(event, bodyLimits) };
    return await endpoint.call(caller, values, context);
  }
  if (input === "json") {
    const body = withPath(await readJson(event, bodyLimits), reader.values(new Map(), params));
    return await endpoint.call(caller, body, context);
  }
  const values = reader.values(query, params);
  if (input === "query") return await endpoint.call(caller, values, context);
  const upload = readUpload(event, telex.limits, raw ?? false);
  try {
    return await endpoint.call(caller, { ...values, file: upload.file }, context);
  } finally {
    upload.close();
  }
}

/** The events of a reply: of a new one, or of one that its reader has lost. */
async function follow(handling: Handling, exchange: Exchange, permitted: Permitted): Promise<unknown> {
  const { replies } = handling;
  const { caller } = permitted;
  const lastEventId = exchange.event.req.headers.get("last-event-id") ?? "";
  if (lastEventId !== "") return replies.resume(caller, lastEventId);
  if (caller.kind !== "token") throw new TelexError("invalid_token");
  const start = async (signal: AbortSignal): Promise<AsyncIterable<ChatEvent>> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- routes.ts ties events to operations that give them
    (await run(handling, exchange, permitted, { signal })) as AsyncIterable<ChatEvent>;
  return await replies.begin(caller, start, { refuse: exchange.refuse, gone: exchange.call.signal });
}

async function perform(handling: Handling, exchange: Exchange): Promise<Reply> {
  const query = handling.reader.parse(exchange.event.url.search);
  const caller = await authenticate(handling, exchange, query);
  count(handling, exchange, caller);
  const { limiter, proxies } = handling;
  exchange.call.chargeWith((calls) => limiter.charge(caller, () => addressOf(exchange, proxies), calls));
  // Before the body is read: nobody without a token makes the server take one.
  if (!handling.open && caller.kind !== "token") throw new TelexError("invalid_token");
  const permitted = { caller, query };
  const output =
    handling.endpoint.route.reply === "events"
      ? await follow(handling, exchange, permitted)
      : await run(handling, exchange, permitted, exchange.call);
  const reply = await handling.form.write(output, exchange, handling.telex);
  exchange.call.charge(lengthCost(reply));
  return reply;
}

async function recover(handling: Handling, exchange: Exchange, cause: unknown): Promise<Reply> {
  const error = TelexError.from(cause);
  const { code, incident } = error;
  const { name } = handling.endpoint;
  if (error.cause !== undefined && code !== "invalid_request") {
    handling.telex.log.error("http.failed", { operation: name, code, incident }, error.cause);
  }
  const isMissingImage = code === "file_not_found" && name === "bucket.download";
  if (isMissingImage && handling.missingImage === "placeholder") {
    return await placeholder(exchange.event, exchange.refuse);
  }
  return exchange.refuse(error, { hadToken: exchange.hadToken });
}

/** The handler of one endpoint: who calls, with what, and how the outcome is written. */
export function createHandler(
  endpoint: Endpoint,
  options: HandlerOptions,
  form: Form = ownForm(endpoint.route),
): (event: H3Event) => Promise<Response> {
  const { operation } = endpoint;
  const reader = createTextReader(operation.input);
  const { limits } = options.telex;
  const { input, limit = "bodySize" } = endpoint.route;
  const bodyLimits = input === "json" ? { ...limits, bodySize: bodySizeOf(operation, limits[limit]) } : limits;
  const handling: Handling = { ...options, endpoint, reader, open: isOpen(operation), form, bodyLimits };
  return async (event) => {
    const exchange = openExchange(event, form.refuser(event, options.telex.locale));
    const reply = await perform(handling, exchange).catch((cause: unknown) => {
      exchange.call.fail();
      return recover(handling, exchange, cause);
    });
    return options.respond(event, { ...reply, headers: { ...reply.headers, ...exchange.headers } });
  };
}
