import { createOutgoing } from "@telex/outgoing";
import type { CustomFetch, FetchBody } from "openid-client";
import type { ProviderOptions } from "./options.ts";

/** Bytes of an answer of a provider. */
const maxBytes = 256 * 1024;

function bodyOf(body: FetchBody): { readonly body?: string | Uint8Array } {
  if (body === undefined || body === null) return {};
  if (body instanceof URLSearchParams) return { body: body.toString() };
  if (typeof body === "string" || body instanceof Uint8Array) return { body };
  throw new TypeError("A request to a provider has a body of an unknown kind.");
}

/** Headers that say how the body was encoded: it has been decoded. */
const packing: readonly string[] = ["content-encoding", "content-length", "transfer-encoding"];

/**
 * Requests to a provider over the guarded client: to public addresses and those of `allow`, without redirects, 256 KiB and `timeout` each.
 * @throws TypeError for an entry of `allow` that is not `host:port`
 */
export function createGuardedFetch({
  allow = [],
  timeout = 5000,
}: Pick<ProviderOptions, "allow" | "timeout">): CustomFetch {
  const outgoing = createOutgoing({ allow, maxBytes, timeout });
  return async (url, { method, headers, body }) => {
    const sent = { method: method === "POST" ? "POST" : "GET", headers, ...bodyOf(body) } as const;
    const answer = await outgoing.send(url, sent);
    const remaining = Object.entries(answer.headers).filter(([name]) => !packing.includes(name));
    const hasBody = answer.body.byteLength > 0;
    return new Response(hasBody ? Buffer.from(answer.body) : null, { status: answer.status, headers: remaining });
  };
}
