/**
 * What a streamed reply costs on its way through the server, beside a bare pass-through of `node:http` that does the same
 * parsing: added latency and CPU per delta at 1, 100 and 1,000 streams at once, and memory per open stream.
 * `node bench/ai.ts [--rounds 3]`
 */
import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import { parseArgs } from "node:util";
import { loadCore, run, type Running, serverCore } from "./lib/process.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const rounds = Number(values.rounds);

/** How many streams at once, how many deltas in each, and how far apart, in milliseconds. */
interface Load {
  readonly streams: number;
  readonly deltas: number;
  readonly gap: number;
}

const loads: readonly Load[] = [
  { streams: 1, deltas: 500, gap: 5 },
  { streams: 100, deltas: 100, gap: 25 },
  { streams: 1000, deltas: 25, gap: 250 },
];

let load: Load = { streams: 1, deltas: 10, gap: 5 };

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-123456789",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "bench",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;

/** The upstream: each delta says when it left. */
function say(res: ServerResponse, left: number, { gap }: Pick<Load, "gap">): void {
  if (res.destroyed) return;
  if (left === 0) {
    res.end(`${event({}, "stop")}data: [DONE]\n\n`);
    return;
  }
  res.write(event({ content: `@${performance.now().toFixed(3)};` }, null));
  setTimeout(say, gap, res, left - 1, { gap });
}

const upstream = createServer((req, res) => {
  const now = load;
  req.resume().on("end", () => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    // Spread over the gap, as independent models would be.
    setTimeout(say, Math.random() * now.gap, res, now.deltas, now);
  });
});
upstream.listen(0, "127.0.0.1");
await once(upstream, "listening");
const address = upstream.address();
const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`;

interface Server extends Running {
  readonly port: number;
  readonly token: string;
}

async function start(kind: string, ...more: readonly string[]): Promise<Server> {
  const program = new URL("servers/ai.ts", import.meta.url).pathname;
  const running = await run(program, [kind, url, ...more], serverCore);
  return { ...running, port: Number(running.ready["port"]), token: String(running.ready["token"]) };
}

/** One reader; gives the milliseconds that each delta took from the upstream. */
function read({ port, token }: Server, body: string): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const path = "/external/api/v1/sseStream/chat";
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const asking = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent: false }, (answer) => {
    const took: number[] = [];
    answer.setEncoding("utf8").on("data", (text: string) => {
      const now = performance.now();
      for (const [, at] of text.matchAll(/"delta":"@([\d.]+);/g)) took.push(now - Number(at));
    });
    answer.on("end", () => resolve(took)).on("error", reject);
  });
  asking.on("error", reject).end(body);
  return promise;
}

const body = JSON.stringify({ content: "Say something", messages: [] });
const readAll = async (server: Server): Promise<number[]> =>
  (await Promise.all(Array.from({ length: load.streams }, () => read(server, body)))).flat();

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

async function measure(server: Server): Promise<Figures> {
  const before = await server.cpu();
  const took = (await readAll(server)).toSorted((a, b) => a - b);
  const cpu = (await server.cpu()) - before;
  const expected = load.streams * load.deltas;
  if (took.length !== expected) throw new Error(`${took.length} deltas arrived of ${expected}.`);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), cpu: (cpu / took.length) * 1_000_000 };
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

async function compare(): Promise<void> {
  const servers = { limit: await start("pass-through"), telex: await start("telex") };
  for (const [index, next] of loads.entries()) {
    const found = { limit: [] as Figures[], telex: [] as Figures[] };
    load = { ...next, deltas: Math.ceil(next.deltas / (index === 0 ? 1 : 4)) };
    for (const server of Object.values(servers)) await measure(server);
    load = next;
    for (let round = 0; round < rounds; round += 1) {
      for (const name of ["limit", "telex"] as const) found[name].push(await measure(servers[name]));
    }
    for (const name of ["limit", "telex"] as const) {
      const of = (key: keyof Figures): number => median(found[name].map((figures) => figures[key]));
      const ratio = median(found[name].map(({ cpu }, round) => cpu / (found.limit[round]?.cpu ?? Number.NaN)));
      console.log(
        `${String(load.streams).padStart(5)} streams ${name.padEnd(6)} p50 ${of("p50").toFixed(2)} ms, p99 ${of("p99").toFixed(2)} ms, ` +
          `CPU ${of("cpu").toFixed(1)} us/delta, ${ratio.toFixed(2)} x limit`,
      );
    }
  }
  for (const server of Object.values(servers)) await server.stop();
}

/** Memory of open streams that wait for their next delta. */
async function memory(kind: string): Promise<void> {
  const server = await start(kind, "gc");
  load = { streams: 50, deltas: 5, gap: 5 };
  await readAll(server);
  load = { streams: 0, deltas: 6, gap: 1500 };
  const open: Promise<unknown>[] = [];
  const resident = async (streams: number): Promise<number> => {
    while (open.length < streams) open.push(read(server, body));
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return (await server.memory()).now;
  };
  const few = await resident(100);
  const many = await resident(1000);
  console.log(`memory ${kind}: ${(((many - few) * 1024) / 900).toFixed(1)} KiB per open stream`);
  await Promise.all(open);
  await server.stop();
}

console.log(`servers on core ${serverCore}, load on core ${loadCore}`);
await compare();
await memory("pass-through");
await memory("telex");
upstream.close();
process.exit(0);
