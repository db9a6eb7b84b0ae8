import { load, requestBytes } from "../lib/http-load.ts";
import { coldRequests, measurePhases } from "../lib/phases.ts";
import { type Running, run, serverCore, withFolder } from "../lib/process.ts";
import { type Measurement, type Subject, warmRequests, type Workload } from "../lib/workload.ts";

const prefix = "/external/api/v1/teleprinter";
const connections = 64;

const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/post.ts", import.meta.url).pathname;
const framework = new URL("../limits/h3.ts", import.meta.url).pathname;

const portOf = ({ ready }: Running): number => Number(ready["port"]);
const tokenOf = ({ ready }: Running): string => (Array.isArray(ready["tokens"]) ? String(ready["tokens"][0]) : "");

async function measure(server: Running, total: number, next: (index: number) => Buffer): Promise<Measurement> {
  const check = (body: Buffer): boolean => body.includes('"code":200');
  const burst = (count: number) => load(portOf(server), { connections, total: count, next, check });
  const { warm, figures } = await measurePhases(server, {
    unit: "request",
    cold: () => burst(coldRequests),
    warmUp: () => burst(warmRequests),
    warm: () => burst(total),
  });
  return { "requests/s": warm.count / warm.seconds, "p50 ms": warm.p50, ...figures };
}

const subject = (name: string, program: string, args: readonly string[], path: string, total: number): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const server = await run(program, [folder, ...args], serverCore);
      try {
        const token = tokenOf(server);
        const register = requestBytes("POST", `${prefix}/register`, token, '{"deviceId":"bench","name":"Bench"}');
        if (program === telex) await load(portOf(server), { connections: 1, total: 1, next: () => register });
        const body = '{"deviceId":"bench","content":"a short line of text from a device"}';
        const bytes = requestBytes("POST", path, token, body);
        return await measure(server, total, () => bytes);
      } finally {
        await server.stop();
      }
    }),
});

/** A small POST that stores nothing, and one that syncs a text to the disk before the response. */
export const httpWorkloads = (): readonly Workload[] => [
  {
    name: "http",
    about: "POST heartbeat, 64 connections: token, schema, one sign of life in memory",
    subjects: [subject("limit", limit, [], prefix, 30_000), subject("telex", telex, [], `${prefix}/heartbeat`, 30_000)],
  },
  {
    name: "http h3",
    about: "the same next to a bare application on h3, the framework of Telex",
    subjects: [
      subject("limit", framework, [], prefix, 30_000),
      subject("telex", telex, [], `${prefix}/heartbeat`, 30_000),
    ],
  },
  {
    name: "store",
    about: "POST sync, 64 connections: token, schema, one text durable before the answer",
    subjects: [
      subject("limit", limit, ["same"], prefix, 20_000),
      subject("telex", telex, [], `${prefix}/sync`, 20_000),
    ],
  },
];
