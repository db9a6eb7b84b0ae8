import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { createOutgoing } from "@telex/outgoing";
import { mostBytes } from "./bounds.ts";
import type { HttpServerOptions } from "./options.ts";

const bodiless = new Set([204, 205, 304]);

/** The host and port that the operator has named: they may be inside the network. No other host may, and no redirect is followed. */
function allowedOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** A `fetch` for one server. Responses are read completely, so a stream that never ends is a timeout. */
function createFetch({ url, seconds }: HttpServerOptions) {
  const allow = [allowedOf(url)];
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    // Telex listens to no server, and ends no session of one.
    if (init.method !== "POST") return new Response(null, { status: 405 });
    const { signal, headers, body } = init;
    const outgoing = createOutgoing({
      allow,
      maxBytes: mostBytes,
      timeout: seconds * 1000,
      beginTime: (time) => AbortSignal.any([AbortSignal.timeout(time), ...(signal ? [signal] : [])]),
    });
    const sent = { method: "POST", headers: Object.fromEntries(new Headers(headers)) } as const;
    const answer = await outgoing.send(String(address), { ...sent, ...(typeof body === "string" && { body }) });
    const { status } = answer;
    return new Response(bodiless.has(status) ? null : new Uint8Array(answer.body), { status, headers: answer.headers });
  };
}

/** A connection to a server over streamable HTTP. */
export const createHttpTransport = (options: HttpServerOptions): Transport =>
  new StreamableHTTPClientTransport(new URL(options.url), {
    fetch: createFetch(options),
    requestInit: { headers: options.headers, redirect: "error" },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
