import { anonymous, type Caller, TelexError } from "@telex/core";
import type { Locale, RateLimiter, RequestAuthenticator } from "@telex/core/transport";
import { addressOf } from "../exchange/address.ts";
import { isText, readJson, readText } from "../request/body.ts";
import type { BodyLimits } from "../request/depth.ts";
import { type BodyBounds, bodySizeOf, costOf, expectedCost } from "../request/body-cost.ts";
import { Call } from "../request/call.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { refuserOf } from "../response/refuser.ts";
import { createTextReader, type TextReader, type Texts } from "../request/input.ts";
import { readToken } from "../request/token.ts";
import { readUpload } from "../request/upload.ts";
import { placeholder } from "../response/download.ts";
import type { HttpResponse } from "../response/http-response.ts";
import type { Handle } from "./paths.ts";
import { type Endpoint, isOpen } from "../endpoints/operations.ts";
import { rateHeaders } from "./rate-headers.ts";
import type { HttpTelex } from "../limits.ts";
import type { Route } from "../routes.ts";

export interface HandlerOptions {
  readonly telex: HttpTelex;
  readonly limiter: RateLimiter;
  readonly missingImage: "error" | "placeholder";
  readonly queryTokens: boolean;
  /** Authenticates requests without a token; undefined if they are anonymous. */
  readonly authenticator: RequestAuthenticator | undefined;
  /** Proxies in front of the server that add to `X-Forwarded-For`. */
  readonly proxies: number;
}

/** One endpoint with everything that is computed for it once. */
interface Handling extends HandlerOptions {
  readonly endpoint: Endpoint;
  readonly reader: TextReader;
  /** True if a request without a token may be valid. */
  readonly open: boolean;
  readonly bodyLimits: () => BodyLimits;
}

/** The caller of a request without a token. On an open path, a page of another site may call: it is anonymous there. */
async function withoutToken(authenticator: RequestAuthenticator, { exchange, request }: Call, open: boolean) {
  const { header, address } = request;
  try {
    return await authenticator.authenticate({ method: exchange.method, header, address });
  } catch (error) {
    if (open && TelexError.is(error) && error.code === "cross_origin") return anonymous;
    throw error;
  }
}

function authenticate(handling: Handling, call: Call, query: Texts): Promise<Caller> {
  const { endpoint, telex, queryTokens, proxies, open, authenticator } = handling;
  const header = call.exchange.header("authorization");
  const takesQuery = endpoint.route.token === "header_or_query" && queryTokens;
  const carried = { header, query: takesQuery ? query.get("access_token") : undefined };
  call.hadToken = header !== null || carried.query !== undefined;
  const token = readToken(carried, open);
  if (token === null && authenticator !== undefined) return withoutToken(authenticator, call, open);
  return telex.authenticate(token, () => addressOf(call.exchange, proxies));
}

function count({ limiter, proxies, endpoint }: Handling, call: Call, caller: Caller): void {
  const address = (): string | null => addressOf(call.exchange, proxies);
  const cost = caller.kind === "token" ? 1 : (endpoint.route.cost ?? 1);
  const counted = limiter.count(caller, address, cost);
  call.headers = rateHeaders(counted);
  if (counted.refusal !== null) throw counted.refusal;
  call.admit(caller, (calls) => limiter.charge(caller, address, calls));
}

/** Characters of a response that count as one more call: a long page of history costs more than a short one. */
const callLength = 64 * 1024;

/** The cost of a response's length. Files and pictures add none: they cost no more than their bytes. */
const lengthCost = ({ body }: HttpResponse): number =>
  typeof body === "string" ? Math.floor(body.length / callLength) : 0;

/** The body with the fields of the path, which take precedence. */
function withPath(body: unknown, reader: TextReader, params: Exchange["params"]): unknown {
  if (Object.keys(params).length === 0) return body;
  const path = reader.values(new Map(), params);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? { ...body, ...path } : body;
}

/** Charges what a body probably costs, before it is read, so that a flood is stopped. The returned function corrects it by the size. */
function chargeBody(call: Call, limits: BodyLimits): (size: number) => void {
  const charged = call.charge(expectedCost(call.exchange, limits));
  return (size) => void call.charge(costOf(size) - charged);
}

/** Passes the input of a call on, without its file. It does not await available values: promises are much of the cost of a small call. */
function readInput<T>(
  { endpoint, reader, bodyLimits }: Handling,
  call: Call,
  query: Texts,
  use: (input: unknown) => Promise<T>,
): Promise<T> {
  const { exchange } = call;
  const { input, text } = endpoint.route;
  if (input !== "json") return use(reader.values(query, exchange.params));
  const limits = bodyLimits();
  const sized = chargeBody(call, limits);
  if (text !== undefined && isText(exchange)) {
    const values = reader.values(query, exchange.params);
    return readText(exchange, limits, sized).then((value) => use({ ...values, [text]: value }));
  }
  return readJson(exchange, limits, sized, (body) => use(withPath(body, reader, exchange.params)));
}

type WithInput = Parameters<Endpoint["answer"]>[1];

const inputReader =
  (handling: Handling, call: Call, query: Texts): WithInput =>
  (use) => {
    const { endpoint, bodyLimits } = handling;
    if (endpoint.bodyBounds === undefined) return readInput(handling, call, query, use);
    const read = (bounds: BodyBounds) =>
      readInput({ ...handling, bodyLimits: () => ({ ...bodyLimits(), ...bounds }) }, call, query, use);
    return endpoint.bodyBounds(call.caller).then(read);
  };

const uploadReader =
  (handling: Handling, call: Call, query: Texts): WithInput =>
  (use) =>
    readInput(handling, call, query, async (input) => {
      const { endpoint, telex } = handling;
      const upload = readUpload(call.exchange, telex.limits, endpoint.route.raw ?? false);
      try {
        return await use({ ...Object(input), file: upload.file });
      } finally {
        upload.close();
      }
    });

/** Errors of what the caller has sent: an operator can do nothing about their causes, and a caller can send as many as it likes. */
const ofInput: readonly string[] = ["invalid_request", "unreadable_image"];

async function recover({ endpoint, telex, missingImage }: Handling, call: Call, cause: unknown): Promise<HttpResponse> {
  const error = TelexError.from(cause);
  const { code, incident } = error;
  if (error.cause !== undefined && !TelexError.is(error.cause) && !ofInput.includes(code))
    telex.log.error("http.failed", { operation: endpoint.name, code, incident }, error.cause);
  const hasPlaceholder = endpoint.route.placeholder === true && missingImage === "placeholder";
  if (code === "file_not_found" && hasPlaceholder) return await placeholder(call.exchange, call.refuse);
  return call.refuse(error, { hadToken: call.hadToken });
}

const withHeaders = (response: HttpResponse, { headers }: Call): HttpResponse =>
  headers === null ? response : { ...response, headers: { ...response.headers, ...headers } };

const bodyReader = (handling: Handling, call: Call, query: Texts) =>
  (handling.endpoint.route.input === "upload" ? uploadReader : inputReader)(handling, call, query);

async function answer(handling: Handling, call: Call): Promise<HttpResponse> {
  const { endpoint, reader, open } = handling;
  try {
    const query = reader.parse(call.exchange.search);
    const caller = await authenticate(handling, call, query);
    count(handling, call, caller);
    // Before the body is read: a client without a token must not make the server read one.
    if (!open && caller.kind !== "token") throw new TelexError("invalid_token");
    const response = await endpoint.answer(call, bodyReader(handling, call, query));
    call.charge(lengthCost(response));
    return withHeaders(response, call);
  } catch (cause) {
    call.fail();
    return withHeaders(await recover(handling, call, cause), call);
  }
}

/** The language of callers on a path who name none. */
export const localeOfRoute = (
  { locale, otherLocale }: Pick<HttpTelex, "locale" | "otherLocale">,
  { isInterface = false }: Pick<Route, "isInterface">,
): Locale => (isInterface ? locale : otherLocale);

/** The limits of a JSON body. The first call finds the longest input: finding those of all operations would make a start a third longer. */
function limitsOfJson(operation: Endpoint["operation"], limits: BodyLimits): () => BodyLimits {
  let found: BodyLimits | null = null;
  return () => (found ??= { ...limits, bodySize: bodySizeOf(operation, limits.bodySize) });
}

/** The handler of one endpoint: determines the caller, reads the input, and answers failures. */
export function createHandler(endpoint: Endpoint, options: HandlerOptions): Handle {
  const { operation, refuser = refuserOf } = endpoint;
  const { telex, limiter, missingImage, queryTokens, proxies } = options;
  const { limits } = telex;
  const locale = localeOfRoute(telex, endpoint.route);
  const bodyLimits = endpoint.route.input === "json" ? limitsOfJson(operation, limits) : () => limits;
  const reader = createTextReader(operation.input);
  const open = isOpen(operation);
  const { authenticator } = options;
  const handling = {
    endpoint,
    reader,
    open,
    bodyLimits,
    telex,
    limiter,
    missingImage,
    queryTokens,
    authenticator,
    proxies,
  };
  return (exchange) => answer(handling, new Call(exchange, refuser(exchange, locale), proxies));
}
