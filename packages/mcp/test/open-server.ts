import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createScene } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import { type Http, createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { onTestFinished } from "vitest";
import { createMcp, type McpOptions } from "../src/index.ts";

/** How a client connects. */
interface ConnectOptions {
  readonly token: string;
  /** Default: the newest version, with a fallback to the one before. */
  readonly mode?: "legacy" | "auto" | { readonly pin: string };
}

/** A server with tools at `/mcp`. */
export async function openServer(options: Partial<McpOptions> = {}) {
  const images = createSharpEngine();
  const scene = await createScene({ storage: createMemoryStorage(), blobs: createMemoryBlobs(), images });
  const { telex } = scene;
  const late: { http: Http | null; url: string } = { http: null, url: "http://127.0.0.1" };
  const fetchInside = async (request: Request): Promise<Response> => {
    if (late.http === null) throw new Error("The server is not made yet.");
    return await late.http.fetch(request);
  };
  const { mounts } = createMcp(telex, { fetch: fetchInside, baseUrl: () => late.url, ...options });
  late.http = createHttp(telex, { mounts });
  const serving = await serve({ telex, http: late.http, port: 0 });
  late.url = serving.url;
  onTestFinished(() => serving.close(0));
  const endpoint = new URL(`${serving.url}/mcp`);
  const connect = async ({ token, mode = "auto" }: ConnectOptions): Promise<Client> => {
    const client = new Client({ name: "Test client", version: "1.0.0" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    onTestFinished(() => client.close());
    return client;
  };
  /** Sends a request unchanged. */
  const send = (init: RequestInit & { readonly path?: string } = {}): Promise<Response> =>
    fetch(`${serving.url}${init.path ?? "/mcp"}`, { method: "POST", ...init });
  return { ...scene, url: serving.url, connect, send };
}
