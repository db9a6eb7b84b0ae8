import { anonymous, TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Locale } from "@telex/core/transport";
import { addressOf } from "../exchange/address.ts";
import { type Exchange, languageOf } from "../exchange/exchange.ts";
import { mediaType } from "../exchange/source.ts";
import type { HttpTelex } from "../limits.ts";
import { readText } from "../request/body.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { closed } from "./cors.ts";
import type { HandlerOptions } from "./handler.ts";
import { rateHeaders } from "./rate-headers.ts";
import type { Method, PathSet } from "./router.ts";

/** One request for a form. */
export interface FormCall {
  readonly request: CallRequest;
  readonly locale: Locale;
  /** The query of the address, as it was sent. */
  readonly query: URLSearchParams;
  /** The fields that a browser submitted; null for a request that asks for the page. */
  readonly fields: ReadonlyMap<string, string> | null;
}

/** A page as the answer to a {@link FormCall}, or a redirect, whose body is null. */
export interface FormAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An HTML form of a plug-in: a page that browsers get, and post their fields to. */
export interface PluginForm {
  /** Such as `/user/sign-in`. */
  readonly path: string;
  /**
   * Shows the form, or takes its fields.
   * @throws TelexError what `refuse` shows
   */
  readonly answer: (call: FormCall) => Promise<FormAnswer>;
  /** The page for a request that was refused, also before `answer` is called: for its rate, or for a body that is not a form. */
  readonly refuse: (error: TelexError, locale: Locale, query: URLSearchParams) => FormAnswer;
}

/** Bytes of the fields of a form. */
const bodySize = 16 * 1024;

/** Calls that submitted fields count as: most forms hash a password. */
const postCost = 10;

function addField(fields: Map<string, string>, name: string, value: unknown): void {
  if (fields.has(name) || typeof value !== "string") throw new TelexError("invalid_request");
  fields.set(name, value);
}

/** The fields of a form. Throws `unsupported_media` for another body, `invalid_request` for a repeated field. */
async function readFields(exchange: Exchange, { bodyTime, bodyDepth }: HttpTelex["limits"]) {
  const type = "application/x-www-form-urlencoded";
  if (mediaType(exchange) !== type) throw new TelexError("unsupported_media", { params: { expected: type } });
  const fields = new Map<string, string>();
  const { parsed } = exchange.body;
  const isObject = typeof parsed === "object" && parsed !== null && !(parsed instanceof Uint8Array);
  const text = isObject ? "" : await readText(exchange, { bodySize, bodyTime, bodyDepth }, () => {});
  const entries = isObject ? Object.entries<unknown>({ ...parsed }) : new URLSearchParams(text);
  for (const [name, value] of entries) addField(fields, name, value);
  return fields;
}

type FormOptions = Pick<HandlerOptions, "telex" | "limiter" | "proxies">;

/** Answers a request for a form. Its errors are pages as well. */
function createFormHandle(form: PluginForm, { telex, limiter, proxies }: FormOptions) {
  const refuse = (cause: unknown, locale: Locale, query: URLSearchParams): FormAnswer => {
    const error = TelexError.from(cause);
    const { code, incident } = error;
    if (error.cause !== undefined)
      telex.log.error("http.failed", { operation: form.path, code, incident }, error.cause);
    return form.refuse(error, locale, query);
  };
  return async (exchange: Exchange): Promise<HttpResponse> => {
    const locale = languageOf(exchange, telex.otherLocale);
    const query = new URLSearchParams(exchange.search);
    const address = (): string | null => addressOf(exchange, proxies);
    const isPost = exchange.method === "POST";
    const counted = limiter.count(anonymous, address, isPost ? postCost : 1);
    const headers: Record<string, string> = { ...rateHeaders(counted) };
    const request: CallRequest = {
      header: (name) => exchange.header(name),
      address,
      setHeader: (name, value) => void (headers[name] = value),
    };
    const run = async (): Promise<FormAnswer> => {
      if (counted.refusal !== null) throw counted.refusal;
      const fields = isPost ? await readFields(exchange, telex.limits) : null;
      return await form.answer({ request, locale, query, fields });
    };
    const answer = await run().catch((cause: unknown) => refuse(cause, locale, query));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  };
}

const methods: readonly Method[] = ["GET", "HEAD", "POST"];

/** Adds the forms of plug-ins. No page of another origin reads them. */
export function addForms({ add }: PathSet, forms: readonly PluginForm[], options: FormOptions): void {
  for (const form of forms) {
    const handle = createFormHandle(form, options);
    add(form.path, new Map(methods.map((method) => [method, handle])), { cors: closed });
  }
}
