import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Telex, TokenHolder } from "@telex/core";
import { type NodeMount, readMountBody } from "@telex/http";
import { createCallerBus } from "./caller-bus.ts";
import { createMcpServer, type McpServerParts } from "./server.ts";
import { metadataOf, metadataPaths } from "./metadata.ts";
import { createStreams } from "./streams.ts";

/** Bytes of a request. */
const maxBytes = 1024 * 1024;

interface McpMountDeps extends Pick<McpServerParts, "version" | "tools"> {
  readonly telex: Telex;
  /** Answers requests as the server does over the network. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The address of the server in links, without a slash at its end. */
  readonly baseUrl: () => string;
  /** The name of the application that has a token, or null. */
  readonly applicationOf: (holder: TokenHolder) => Promise<string | null>;
  /** True if the server is an authorization server, too. */
  readonly hasProvider: boolean;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refuse(res: ServerResponse, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } });
  res.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  res.end(body);
}

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** A request without its body, for the library. */
function requestOf(req: IncomingMessage, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    // Authorization is checked here, and nothing later needs the token of the request.
    if (name !== "authorization" && name !== "cookie") for (const value of values) headers.append(name, value);
  }
  const method = req.method ?? "GET";
  return new Request(url, { method, headers, signal, ...(method === "POST" && { body: "{}" }) });
}

async function writeResponse(response: Response, res: ServerResponse): Promise<void> {
  res.writeHead(response.status, { ...Object.fromEntries(response.headers), "cache-control": "no-store" });
  if (response.body === null) res.end();
  else await pipeline(Readable.fromWeb(response.body), res).catch(() => res.destroy());
}

/** The first reason to refuse a request, before its token is checked. */
function refusalOf({ url = "", headers }: IncomingMessage, baseUrl: string): Refusal | null {
  const { searchParams } = new URL(url, baseUrl);
  if (searchParams.has("access_token"))
    return { status: 400, message: "The token belongs in the header Authorization, not in the address." };
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(baseUrl).origin)
    return { status: 403, message: "Pages of other origins cannot call this server." };
  return null;
}

const challenge = (baseUrl: string, error: string): string =>
  `Bearer realm="telex"${error}, resource_metadata="${baseUrl}${metadataPaths[0]}", scope="chat"`;

const isListen = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "method" in body && body.method === "subscriptions/listen";

const refuseToken = (res: ServerResponse, header: string): void =>
  refuse(res, {
    status: 401,
    message: "A token is needed, in the header Authorization.",
    headers: { "www-authenticate": header },
  });

/** The caller of a request; null after it was refused. */
async function callerOf(
  { telex, baseUrl }: McpMountDeps,
  req: IncomingMessage,
  res: ServerResponse,
  address: () => string | null,
): Promise<{ readonly holder: TokenHolder; readonly token: string } | null> {
  const token = bearer.exec(req.headers.authorization ?? "")?.[1];
  const holder = token === undefined ? null : await telex.authenticate(token, address);
  if (token !== undefined && holder?.kind === "token") return { holder, token };
  const error = token === undefined ? "" : ', error="invalid_token"';
  refuseToken(res, challenge(baseUrl(), error));
  return null;
}

/** Answers `/mcp`, without anything that outlives a request. */
function createAnswer(deps: McpMountDeps): NodeMount["handle"] {
  const { telex, version, tools, fetch, baseUrl } = deps;
  const streams = createStreams();
  return async (req, res, address) => {
    const refusal = refusalOf(req, baseUrl());
    if (refusal !== null) return refuse(res, refusal);
    const caller = await callerOf(deps, req, res, address);
    if (caller === null) return;
    const { holder, token } = caller;
    const reach = { url: "http://telex", token, fetch };
    const content = req.method === "POST" ? await readMountBody(req, maxBytes) : Buffer.alloc(0);
    if (content === null) return refuse(res, { status: 413, message: "The request is larger than 1 MiB." });
    let parsedBody: unknown;
    try {
      parsedBody = content.length === 0 ? undefined : JSON.parse(content.toString("utf8"));
    } catch {
      return refuse(res, { status: 400, message: "The body is not JSON." });
    }
    const ended = new AbortController();
    res.once("close", () => ended.abort());
    const release = isListen(parsedBody) ? streams.take(holder.userId) : () => undefined;
    if (release === null) return refuse(res, { status: 429, message: "Too many subscriptions are open." });
    try {
      const handler = createMcpHandler(
        () =>
          createMcpServer({
            version,
            tools,
            reach,
            scopes: holder.scopes,
            hasSubscriptions: true,
            application: () => deps.applicationOf(holder),
          }),
        {
          bus: createCallerBus(holder, { telex, close: () => ended.abort() }),
          onerror: (error) => telex.log.info("mcp.refused", { reason: error.name }),
        },
      );
      const request = requestOf(req, `${baseUrl()}/mcp`, ended.signal);
      await writeResponse(await handler.fetch(request, { parsedBody }), res);
    } finally {
      release();
    }
  };
}

const answerMetadata =
  ({ baseUrl, hasProvider }: McpMountDeps): NodeMount["handle"] =>
  async (_req, res) => {
    res.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
    res.end(JSON.stringify(metadataOf(baseUrl(), hasProvider)));
    await Promise.resolve();
  };

/** The paths of the protocol. */
export const mountsOf = (deps: McpMountDeps): readonly NodeMount[] => [
  { path: "/mcp", handle: createAnswer(deps) },
  ...metadataPaths.map((path) => ({ path, handle: answerMetadata(deps) })),
];
