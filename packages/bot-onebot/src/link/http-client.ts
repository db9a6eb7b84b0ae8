import { shortText } from "@telex/core/contract";
import { z } from "zod";
import type { Version } from "../wire/dialect.ts";
import { fieldsSchema, readJson } from "../wire/frames.ts";
import { hasTooManyValues } from "../wire/values-in.ts";
import { readResponse } from "./http-body.ts";
import { frameSize } from "./server-link.ts";

/** Milliseconds for an implementation to respond. */
const responseTime = 30_000;

/** An action as `calls.ts` writes it. */
const call = z.object({
  action: shortText(128),
  params: fieldsSchema,
  echo: shortText(128),
  self: fieldsSchema.optional(),
});

/** The outcome of a request. */
export type Asked =
  /** The implementation has answered the action with this frame. */
  | { readonly outcome: "answered"; readonly action: string; readonly frame: object }
  /** No connection was made: the implementation has received nothing. */
  | { readonly outcome: "unreachable"; readonly frame: object }
  /** The implementation may have received the request. */
  | { readonly outcome: "lost"; readonly echo: string };

interface HttpClientDeps {
  readonly address: string;
  readonly token: string | null;
  readonly version: Version;
  readonly signal: AbortSignal;
}

/** Codes of errors before anything was written. */
const noConnection: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function codeOf(cause: unknown): unknown {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && "code" in inner ? inner.code : undefined;
}

const failed = (retcode: number, message: string, echo: string) => ({
  status: "failed",
  retcode,
  message,
  data: null,
  echo,
});

/** The address and the body of an action: OneBot 11 names it in the path, 12 in the body. */
function requestOf({ address, version }: HttpClientDeps, { action, params, echo, self }: z.output<typeof call>) {
  const base = address.replace(/\/+$/, "");
  return version === 11
    ? { url: `${base}/${action}`, body: params }
    : { url: address, body: { action, params, echo, ...(self !== undefined && { self }) } };
}

/**
 * The outcome of an action by its response. A status other than 200 counts as in OneBot 11: 1000 is added to it. For a status from 500,
 * and for a response that cannot be read, the outcome is unknown: a proxy returns 502 and 504 also for requests that arrived.
 */
async function outcomeOf(
  response: Response,
  { action, echo }: Pick<z.output<typeof call>, "action" | "echo">,
): Promise<Asked> {
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status >= 500) return { outcome: "lost", echo };
    return { outcome: "answered", action, frame: failed(1000 + response.status, `HTTP ${response.status}`, echo) };
  }
  const text = (await readResponse(response, frameSize)) ?? "";
  const answer = hasTooManyValues(text) ? null : readJson(text);
  if (typeof answer !== "object" || answer === null) return { outcome: "lost", echo };
  return { outcome: "answered", action, frame: { ...answer, echo } };
}

/** Sends the frame of an action as a request, and makes a frame of its response. */
export async function askOverHttp(deps: HttpClientDeps, text: string): Promise<Asked> {
  const request = call.parse(readJson(text));
  const { url, body } = requestOf(deps, request);
  const headers = {
    "content-type": "application/json",
    // A kept connection may have ended unnoticed: then it would be unknown whether the request has arrived.
    connection: "close",
    ...(deps.token !== null && { authorization: `Bearer ${deps.token}` }),
  };
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(responseTime)]);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: "error",
    });
    return await outcomeOf(response, request);
  } catch (cause) {
    if (!noConnection.has(codeOf(cause))) return { outcome: "lost", echo: request.echo };
    // 10102: the account is offline.
    return { outcome: "unreachable", frame: failed(10_102, "The implementation cannot be reached.", request.echo) };
  }
}
