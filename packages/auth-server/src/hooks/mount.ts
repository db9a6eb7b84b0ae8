import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { TelexError } from "@telex/core";
import { describeError } from "@telex/core/transport";
import { type NodeMount, readMountBody } from "@telex/http";
import type { AuthDeps } from "../options.ts";
import { readBody } from "./body.ts";
import type { Hooks } from "./hooks.ts";
import { createHookRate } from "./rate.ts";

/** Bytes of a body. */
const mostBytes = 256 * 1024;

/** The status of each failure of a hook; 500 for others. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request: 400,
  not_found: 404,
  group_not_found: 404,
  device_not_found: 404,
  not_owner: 404,
  user_not_found: 404,
  archived: 409,
  not_supported: 409,
  nonce_conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  queue_full: 429,
  busy: 503,
  shutting_down: 503,
  storage_unavailable: 503,
};

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
}

function write(res: ServerResponse, { status, text, retryAfter }: Answer): void {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  res.writeHead(status, { ...headers, ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) });
  res.end(text);
}

const missing: Answer = { status: 404, text: "not found" };

/** The nonce of a call, from its `Idempotency-Key`. Null without one. */
function nonceOf({ headers }: IncomingMessage): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || key === "" || key.length > 256)
    throw new TelexError("invalid_request", { issues: [{ path: "Idempotency-Key", problem: "invalid", params: {} }] });
  return createHash("sha256").update(key).digest("hex");
}

async function answer(hooks: Hooks, wait: (userId: number) => number, req: IncomingMessage): Promise<Answer> {
  if (req.method !== "POST") return { status: 405, text: "use POST" };
  const secret = /^\/hooks\/([\w-]{1,128})$/.exec((req.url ?? "").split("?", 1)[0] ?? "")?.[1] ?? "";
  const hook = await hooks.find(secret);
  if (hook === null) return missing;
  const retryAfter = wait(hook.userId);
  if (retryAfter > 0) return { status: 429, text: "too many calls", retryAfter };
  const bytes = await readMountBody(req, mostBytes);
  if (bytes === null) return { status: 413, text: "too large" };
  const contentType = (req.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  // Checked again: the bytes may have taken long to arrive.
  if ((await hooks.find(secret)) === null) return missing;
  await hooks.write(hook, readBody(bytes.toString("utf8"), contentType, hook.template), nonceOf(req));
  return { status: 200, text: "ok" };
}

/** Takes the calls of hooks: `POST /hooks/<secret>`. */
export function hookMount({ telex }: AuthDeps, hooks: Hooks): NodeMount {
  const wait = createHookRate(telex);
  return {
    path: "/hooks/**",
    async handle(req, res) {
      try {
        write(res, await answer(hooks, wait, req));
      } catch (cause) {
        const error = TelexError.from(cause);
        const status = statuses[error.code] ?? 500;
        if (status === 500) telex.log.error("hook.failed", {}, error.cause ?? cause);
        write(res, { status, text: status === 404 ? missing.text : describeError(error, "en") });
      } finally {
        // The rest of a refused body is not read.
        if (!req.complete) res.once("finish", () => req.destroy());
      }
    },
  };
}
