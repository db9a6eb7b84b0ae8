import { load, requestBytes } from "../lib/http-load.ts";
import { run, serverCore, withFolder } from "../lib/process.ts";
import type { Measurement, Workload } from "../lib/workload.ts";
import { hasMosquitto, startMosquitto, storeAndForward } from "../peers/mosquitto.ts";

const prefix = "/external/api/v1/teleprinter";
const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/post.ts", import.meta.url).pathname;
const messages = 8000;
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

/** The limit: one insert and one sync for all that arrive in one turn. */
async function measureLimit(port: number): Promise<Measurement> {
  const bytes = requestBytes("POST", prefix, "token", '{"deviceId":"bench","content":"a short line of text"}');
  await load(port, { connections: 32, total: 1000, next: () => bytes });
  const single = await load(port, { connections: 1, total: one, next: () => bytes });
  const many = await load(port, { connections: 32, total: messages, next: () => bytes });
  return { "send p50 ms": single.p50, "sends/s": many.requests / many.seconds };
}

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

async function measureTelex(port: number, token: string): Promise<Measurement> {
  const post = (name: string, body: object): Buffer =>
    requestBytes("POST", `${prefix}/${name}`, token, JSON.stringify({ deviceId: "bench", ...body }));
  const register = post("register", { name: "Bench" });
  await load(port, { connections: 1, total: 1, next: () => register });
  const send = post("send", { content: "a short line of text" });
  const poll = requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, token);
  const single = await load(port, { connections: 1, total: one, next: () => send });
  const many = await load(port, { connections: 32, total: messages, next: () => send });
  const fetches = await fetchAll(port, poll, one + messages);
  const empty = await load(port, { connections: 1, total: 2000, next: () => poll });
  return {
    "send p50 ms": single.p50,
    "sends/s": many.requests / many.seconds,
    "fetches/s": fetches,
    "empty poll p50 ms": empty.p50,
  };
}

const round =
  (program: string, args: readonly string[], measure: (port: number, token: string) => Promise<Measurement>) => () =>
    withFolder(async (folder) => {
      const server = await run(program, [folder, ...args], serverCore);
      try {
        const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
        return await measure(Number(server.ready["port"]), token);
      } finally {
        await server.stop();
      }
    });

/** Texts for one device: sent one at a time, sent by 32 senders simultaneously, fetched by polls of 100, and polls that find nothing. */
export const queueWorkloads = (): readonly Workload[] => [
  ...(hasMosquitto() ? [mosquitto] : []),
  {
    name: "queue",
    about: "send to a device, durable before the answer; fetch by polls of 100",
    subjects: [
      { name: "limit", round: round(limit, ["store"], measureLimit) },
      { name: "telex", round: round(telex, [], measureTelex) },
    ],
  },
];
