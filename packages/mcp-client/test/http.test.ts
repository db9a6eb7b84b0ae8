import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { json } from "node:stream/consumers";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createAiTools } from "../src/index.ts";
import { all, openTools, resultsOf } from "./scene.ts";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`;
}

interface Asked {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly version: string | string[] | undefined;
}

const askedBy = ({ method, headers }: IncomingMessage): Asked => ({
  method,
  authorization: headers.authorization,
  version: headers["mcp-protocol-version"],
});

/** The server of the protocol's authors, which adds numbers. */
async function serveSums(): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "sums", version: "1.0.0" });
    const inputSchema = z.object({ a: z.number(), b: z.number() });
    server.registerTool("add", { inputSchema, annotations: { readOnlyHint: true } }, ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    return server;
  });
  const url = await listen((request, response) => {
    asked.push(askedBy(request));
    const answer = async (): Promise<void> => {
      const body = request.method === "POST" ? JSON.stringify(await json(request)) : null;
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const answered = await handler.fetch(new Request(url, { method: request.method ?? "GET", headers, body }));
      response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
    };
    void answer().catch(() => response.destroy());
  });
  return { url, asked };
}

const call = { tool: "sums_add", args: { a: 2, b: 40 } };

it("calls a tool over streamable HTTP, with the headers of the operator", async () => {
  const { url, asked } = await serveSums();
  const sums = { url, headers: { authorization: "Bearer secret" }, harmless: ["add"] };
  const kit = await openTools({ servers: { sums } }, [call, "42."]);
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "2 and 40?" }));
  expect(events.at(-1)).toMatchObject({ kind: "result", content: "42." });
  expect(resultsOf(kit.requests[1]?.messages ?? [])).toEqual(["42"]);
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer secret"]));
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(["POST"]));
  expect(asked.at(-1)?.version).toBe("2026-07-28");
  expect(JSON.stringify(kit.log)).not.toContain("secret");
});

/** A server of 2025-11-25 with sessions, which answers calls in a stream of events. */
const answerInSessions: RequestListener = (request, response) => {
  const answer = async (): Promise<void> => {
    const body = z
      .object({ id: z.union([z.number(), z.string()]).optional(), method: z.string() })
      .parse(await json(request));
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": { tools: [{ name: "add", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] },
      "tools/call": { content: [{ type: "text", text: `in ${String(request.headers["mcp-session-id"])}` }] },
    };
    const result = results[body.method];
    if (body.id === undefined) return void response.writeHead(202).end();
    const error = { code: -32_601, message: "no such method" };
    const message = JSON.stringify({ jsonrpc: "2.0", id: body.id, ...(result ? { result } : { error }) });
    if (body.method !== "tools/call")
      return void response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" }).end(message);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const progress = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "soon" } };
    response.write(`event: message\ndata: ${JSON.stringify(progress)}\n\n`);
    response.end(`event: message\ndata: ${message}\n\n`);
  };
  void answer().catch(() => response.destroy());
};

it("calls a tool of a server of 2025-11-25, which keeps a session and answers in a stream", async () => {
  const url = await listen(answerInSessions);
  const kit = await openTools({ servers: { sums: { url, harmless: ["add"] } } }, [call, "Over."]);
  await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(resultsOf(kit.requests[1]?.messages ?? [])).toEqual(["in s1"]);
});

it("follows no redirect of a server over HTTP, and dials no other private address", async () => {
  const paths: (string | undefined)[] = [];
  const url = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end();
  });
  const tools = createAiTools({ servers: { web: { url } } });
  onTestFinished(() => tools.close());
  expect(await tools.check()).toMatchObject([{ state: "failed", tools: 0 }]);
  expect(new Set(paths)).toEqual(new Set(["/mcp"]));
});
