import { load, requestBytes } from "../lib/http-load.ts";
import { run, type Running, serverCore, withFolder } from "../lib/process.ts";
import type { Measurement, Workload } from "../lib/workload.ts";
import { hasMosquitto, startMosquitto, storeAndForward } from "../peers/mosquitto.ts";
import { hasPostgres, measurePostgres } from "../peers/postgres.ts";

const prefix = "/external/api/v1/teleprinter";
const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/post.ts", import.meta.url).pathname;
// The queue of a device takes 10,000, with those that warm up.
const messages = 7488;
const one = 1500;

/** A broker with sessions that last, QoS 1: it answers before anything is on the disk. */
const mosquitto: Workload = {
  name: "queue mosquitto",
  about: "the peer: Mosquitto, persistent session, QoS 1, 1 and 32 in flight (not durable when it answers)",
  subjects: [1, 32].map((inFlight) => ({
    name: `${inFlight}`,
    round: () =>
      withFolder(async (folder) => {
        const broker = await startMosquitto(folder);
        try {
          return await storeAndForward(broker.port, inFlight === 1 ? one : messages, inFlight);
        } finally {
          await broker.stop();
        }
      }),
  })),
};

/** Sends one at a time, then from 32 connections. */
async function measureSends(server: Running, send: Buffer): Promise<Measurement> {
  const port = Number(server.ready["port"]);
  await load(port, { connections: 32, total: 1000, next: () => send });
  const single = await load(port, { connections: 1, total: one, next: () => send });
  const cpu = await server.cpu();
  const many = await load(port, { connections: 32, total: messages, next: () => send });
  const used = (await server.cpu()) - cpu;
  return {
    "send p50 ms": single.p50,
    "sends/s": many.requests / many.seconds,
    "CPU µs/send": (used * 1e6) / many.requests,
  };
}

/** The limit: one insert and one sync for all that arrive in one turn. */
const measureLimit = (server: Running): Promise<Measurement> =>
  measureSends(server, requestBytes("POST", prefix, "token", '{"deviceId":"bench","content":"a short line of text"}'));

/** Takes all that waits, and answers how many a second that was. */
async function fetchAll(port: number, poll: Buffer, expected: number): Promise<number> {
  let received = 0;
  const check = (body: Buffer): boolean => {
    received += body.toString().split('"direction"').length - 1;
    return true;
  };
  const fetched = await load(port, { connections: 1, total: expected / 100 + 1, next: () => poll, check });
  if (received !== expected) throw new Error(`${received} of ${expected} messages were fetched`);
  return received / fetched.seconds;
}

async function measureTelex(server: Running): Promise<Measurement> {
  const port = Number(server.ready["port"]);
  const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
  const post = (name: string, body: object): Buffer =>
    requestBytes("POST", `${prefix}/${name}`, token, JSON.stringify({ deviceId: "bench", ...body }));
  const register = post("register", { name: "Bench" });
  await load(port, { connections: 1, total: 1, next: () => register });
  const poll = requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, token);
  const sends = await measureSends(server, post("send", { content: "a short line of text" }));
  const fetches = await fetchAll(port, poll, 1000 + one + messages);
  const empty = await load(port, { connections: 1, total: 2000, next: () => poll });
  return { ...sends, "fetches/s": fetches, "empty poll p50 ms": empty.p50 };
}

const round = (program: string, args: readonly string[], measure: (server: Running) => Promise<Measurement>) => () =>
  withFolder(async (folder) => {
    const server = await run(program, [folder, ...args], serverCore);
    try {
      return await measure(server);
    } finally {
      await server.stop();
    }
  });

/** The peer: one insert for a text, and a sync for those that commit simultaneously. Without HTTP. */
const postgres = {
  name: "PostgreSQL",
  round: () => withFolder(async (folder) => measurePostgres(folder, one, messages)),
};

/** Texts for one device: sent one at a time, sent by 32 senders simultaneously, fetched by polls of 100, and polls that find nothing. */
export const queueWorkloads = (): readonly Workload[] => [
  ...(hasMosquitto() ? [mosquitto] : []),
  {
    name: "queue",
    about: "send to a device, durable before the answer; fetch by polls of 100",
    subjects: [
      { name: "limit", round: round(limit, ["store"], measureLimit) },
      { name: "telex", round: round(telex, [], measureTelex) },
      ...(hasPostgres() ? [postgres] : []),
    ],
  },
];
