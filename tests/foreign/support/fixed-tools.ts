import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator, TelexError } from "@telex/core";
import { createHttp, defineRoute, serveHttp, type Http } from "@telex/http";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMcp, type Tool } from "@telex/mcp";
import { createMemoryStorage } from "@telex/storage-memory";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** The tools that the conformance program calls, as far as an HTTP operation can provide them: a text, and a failure. */
const answers = {
  test_simple_text: () => "This is a simple text response for testing.",
  test_error_handling: (): string => {
    throw new TelexError("not_found");
  },
} as const;

const path = (name: string): string => `/plugins/${name}`;
const operation = { summary: "Answers as a test expects.", access: "chat", input: z.object({}) } as const;
const output = z.object({ text: z.string(), cached: z.boolean() });

const tools: readonly Tool[] = Object.keys(answers).map((name) => ({
  name,
  title: name,
  operation: { ...operation, output, errors: ["not_found"] },
  route: { method: "GET", path: path(name), input: "query" },
  isReadOnly: true,
}));

const routes = Object.entries(answers).map(([name, answer]) =>
  defineRoute({
    ...operation,
    name: `test.${name}`,
    method: "GET",
    path: path(name),
    output,
    errors: ["not_found"],
    run: async () => await Promise.resolve({ text: answer(), cached: false }),
  }),
);

/**
 * A server of the protocol on the transport of `/mcp`, with fixed tools.
 * @param baseUrl the address at which programs reach it
 */
export async function serveFixedTools(baseUrl: string): Promise<{ readonly url: string; readonly token: string }> {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const late: { http: Http | null } = { http: null };
  const fetchInside = async (request: Request): Promise<Response> =>
    late.http === null ? Response.error() : await late.http.fetch(request);
  const { mounts } = createMcp(telex, { fetch: fetchInside, baseUrl: () => baseUrl, tools });
  late.http = createHttp(telex, { mounts, routes });
  const { url, close } = await serveHttp(late.http, { port: 0 });
  onTestFinished(async () => void (await Promise.all([close(0), telex.close()])));
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  return { url, token };
}
