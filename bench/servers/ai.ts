/**
 * Servers of `bench/ai.ts`: `node bench/servers/ai.ts <telex|pass-through> <upstream URL> [gc]`. `pass-through` does what
 * has to be done and nothing else: it parses each event of the upstream, and writes one of its own.
 */
import { createServer, request, type ServerResponse } from "node:http";
import { createOpenAiModels } from "@telex/ai-openai";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createParser } from "eventsource-parser";

const [kind, upstream = "", collect] = process.argv.slice(2);

async function startTelex(): Promise<{ port: number; token: string }> {
  const models = createOpenAiModels({
    baseUrl: upstream,
    models: [{ name: "bench", contextTokens: 8000, maxOutputTokens: 4000 }],
  });
  const parts = { storage: createMemoryStorage(), blobs: createMemoryBlobs(), images: createSharpEngine() };
  const telex = await createTelex({ ...parts, models });
  const { id } = await telex.operator.users.add(operator, { nickname: "Bench" });
  await telex.operator.quota.assign(operator, { userId: id, unit: "count", max: 1_000_000_000, period: "monthly" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const { url } = await serveHttp(createHttp(telex), { port: 0 });
  return { port: Number(new URL(url).port), token };
}

const contentOf = (data: string): string => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own upstream sends
  const { choices } = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
  return choices[0]?.delta.content ?? "";
};

function pass(body: string, res: ServerResponse): void {
  const headers = { "content-type": "application/json" };
  const asking = request(`${upstream}/chat/completions`, { method: "POST", headers, agent: false }, (answer) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    let number = 0;
    const parser = createParser({
      onEvent({ data }) {
        const delta = data === "[DONE]" ? "" : contentOf(data);
        if (delta === "") return;
        number += 1;
        res.write(`id: ${number}\nevent: ChatDelta\ndata: ${JSON.stringify({ conversationId: 1, delta })}\n\n`);
      },
    });
    answer.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
    answer.on("end", () => res.end("event: ChatResult\ndata: {}\n\n"));
  });
  asking.end(body);
}

async function startPassThrough(): Promise<{ port: number; token: string }> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => pass(Buffer.concat(chunks).toString(), res));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, token: "none" };
}

if (collect === "gc") setInterval(() => globalThis.gc?.(), 300);
console.log(JSON.stringify(await (kind === "telex" ? startTelex() : startPassThrough())));
