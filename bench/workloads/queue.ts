import { load, requestBytes } from "../lib/http-load.ts";
import { coldRequests, measurePhases } from "../lib/phases.ts";
import { run, type Running, serverCore, withFolder } from "../lib/process.ts";
import { type Measurement, warmRequests, type Workload } from "../lib/workload.ts";
import { hasMosquitto, startMosquitto, storeAndForward } from "../peers/mosquitto.ts";
import { hasPostgres, measurePostgres } from "../peers/postgres.ts";

const prefix = "/external/api/v1/teleprinter";
const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/queue.ts", import.meta.url).pathname;
// The queue of a device holds 10,000. PostgreSQL spreads the texts over 32 connections.
const messages = 7488;
const one = 1500;

/** A broker with persistent sessions and QoS 1. It acknowledges before anything is on the disk. */
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

/** The requests to a queue. */
interface Requests {
  readonly send: Buffer;
  readonly poll: Buffer;
}

/** Takes all waiting texts, and returns the number per second. */
async function fetchAll(port: number, { poll }: Requests, expected: number): Promise<number> {
  let received = 0;
  const check = (body: Buffer): boolean => {
    received += body.toString().split('"direction"').length - 1;
    return true;
  };
  const fetched = await load(port, { connections: 1, total: expected / 100 + 1, next: () => poll, check });
  if (received !== expected) throw new Error(`${received} of ${expected} messages were fetched`);
  return received / fetched.seconds;
}

/** Fills and empties the queue until the server is warm. */
async function warmUp(port: number, requests: Requests): Promise<void> {
  for (let sent = 0; sent < warmRequests; sent += messages) {
    await load(port, { connections: 32, total: messages, next: () => requests.send });
    await fetchAll(port, requests, messages);
    await load(port, { connections: 32, total: one, next: () => requests.poll });
  }
}

/** Sends one text at a time and over 32 connections, fetches all, and polls an empty queue: cold, and then warm. */
async function measureQueue(server: Running, requests: Requests): Promise<Measurement> {
  const port = Number(server.ready["port"]);
  const send = (connections: number, total: number) => load(port, { connections, total, next: () => requests.send });
  const { warm, figures } = await measurePhases(server, {
    unit: "send",
    cold: () => send(32, coldRequests),
    async warmUp() {
      await fetchAll(port, requests, coldRequests);
      await warmUp(port, requests);
    },
    warm: () => send(32, messages),
  });
  const single = await send(1, one);
  const before = await server.cpu();
  const fetches = await fetchAll(port, requests, one + messages);
  const fetchCpu = (await server.cpu()) - before;
  // The fetches are too few to warm up polls.
  await load(port, { connections: 32, total: warmRequests / 2, next: () => requests.poll });
  const empty = await load(port, { connections: 1, total: 2000, next: () => requests.poll });
  return {
    "send p50 ms": single.p50,
    "send p99 ms": single.p99,
    "sends/s": warm.count / warm.seconds,
    ...figures,
    "fetches/s": fetches,
    "CPU µs/fetch": (fetchCpu * 1e6) / (one + messages),
    "empty poll p50 ms": empty.p50,
    "empty poll p99 ms": empty.p99,
    "longest tick ms": Math.max(figures["longest tick ms"] ?? 0, await server.longestTurn()),
    "peak MiB": (await server.memory()).peak,
  };
}

const text = "a short line of text";
const pollPath = `${prefix}/poll?deviceId=bench&limit=100`;

const measureLimit = (server: Running): Promise<Measurement> =>
  measureQueue(server, {
    send: requestBytes("POST", prefix, "token", JSON.stringify({ deviceId: "bench", content: text })),
    poll: requestBytes("GET", pollPath, "token"),
  });

async function measureTelex(server: Running): Promise<Measurement> {
  const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
  const post = (name: string, body: object): Buffer =>
    requestBytes("POST", `${prefix}/${name}`, token, JSON.stringify({ deviceId: "bench", ...body }));
  const register = post("register", { name: "Bench" });
  await load(Number(server.ready["port"]), { connections: 1, total: 1, next: () => register });
  return await measureQueue(server, {
    send: post("send", { content: text }),
    poll: requestBytes("GET", pollPath, token),
  });
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

/** The peer: one insert for each text, with one sync for simultaneous commits. Without HTTP. */
const postgres = {
  name: "PostgreSQL",
  round: () => withFolder(async (folder) => measurePostgres(folder, one, messages)),
};

/** Texts for one device: sent one at a time, sent by 32 senders simultaneously, fetched by polls of 100, and polls of an empty queue. */
export const queueWorkloads = (): readonly Workload[] => [
  ...(hasMosquitto() ? [mosquitto] : []),
  {
    name: "queue",
    about: "send to a device, durable before the answer; fetch by polls of 100",
    subjects: [
      { name: "limit", round: round(limit, [], measureLimit) },
      { name: "telex", round: round(telex, [], measureTelex) },
      ...(hasPostgres() ? [postgres] : []),
    ],
  },
];
