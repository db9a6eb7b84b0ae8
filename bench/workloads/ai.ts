import {
  ask,
  type ChatSocket,
  type Pace,
  type Read,
  readEvents,
  type Reading,
  readSocket,
  startUpstream,
  type Target,
  type Upstream,
} from "../lib/chat-load.ts";
import { type Running, run, serverCore, withFolder } from "../lib/process.ts";
import { percentile } from "../lib/statistics.ts";
import type { Measurement, Subject, Workload } from "../lib/workload.ts";

const programs = {
  limit: new URL("../limits/chat.ts", import.meta.url).pathname,
  telex: new URL("../servers/telex.ts", import.meta.url).pathname,
} as const;
const readers = { events: readEvents, socket: readSocket } as const satisfies Readonly<Record<string, Read>>;

/** The number of simultaneous streams, and the pace of each: 4,000 pieces per second with many streams. */
const loads: readonly (Pace & { readonly streams: number })[] = [
  { streams: 1, deltas: 1000, gap: 3 },
  { streams: 100, deltas: 200, gap: 25 },
  { streams: 1000, deltas: 50, gap: 250 },
];
const warm = { streams: 100, deltas: 40, gap: 5 } as const;

interface Stage {
  readonly upstream: Upstream;
  readonly server: Running;
  readonly target: Target;
}

/** Measures a round with its own model and server. */
const subject = (name: keyof typeof programs, measure: (stage: Stage) => Promise<Measurement>): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const upstream = await startUpstream();
      const server = await run(programs[name], [folder, upstream.url], serverCore);
      const tokens: unknown = server.ready["tokens"];
      try {
        const target = { port: Number(server.ready["port"]), token: Array.isArray(tokens) ? String(tokens[0]) : "" };
        return await measure({ upstream, server, target });
      } finally {
        await server.stop();
        upstream.stop();
      }
    }),
});

/** The cost of replies that are read simultaneously. */
interface Cost {
  /** Milliseconds of each piece from the upstream to the reader. */
  readonly took: readonly number[];
  /** CPU microseconds of a piece while all streams are in progress. */
  readonly piece: number;
  /** CPU microseconds of a reply in addition to its pieces: for its begin, end and storage. */
  readonly reply: number;
}

/** Reads this many simultaneous streams to their end. */
async function readAll(
  { upstream, server, target }: Stage,
  { streams, ...pace }: Pace & { readonly streams: number },
  read: Read,
): Promise<Cost> {
  upstream.pace = pace;
  let heard = 0;
  const count = (pieces: number): void => void (heard += pieces);
  const state = async () => ({ heard, cpu: (await server.cpu()) * 1e6 });
  const before = await state();
  const readings = await Promise.all(Array.from({ length: streams }, () => read(target, count)));
  await Promise.all(readings.map(({ begun }) => begun));
  const begun = await state();
  await Promise.race(readings.map(({ whole }) => whole));
  const ending = await state();
  const took = (await Promise.all(readings.map(({ whole }) => whole))).flat();
  const after = await state();
  const expected = streams * pace.deltas;
  if (took.length !== expected) throw new Error(`${took.length} pieces arrived of ${expected}.`);
  const piece = (ending.cpu - begun.cpu) / (ending.heard - begun.heard);
  return { took, piece, reply: (after.cpu - before.cpu - piece * took.length) / streams };
}

const streaming = (over: keyof typeof readers, load: (typeof loads)[number]): Workload => {
  const measure = async (stage: Stage): Promise<Measurement> => {
    await readAll(stage, warm, readers[over]);
    const { took, piece, reply } = await readAll(stage, load, readers[over]);
    return {
      "CPU µs/delta": piece,
      "CPU µs/reply beside": reply,
      "p50 ms": percentile(took, 0.5),
      "p99 ms": percentile(took, 0.99),
    };
  };
  return {
    name: `ai ${over} ${load.streams}`,
    about: `${load.streams} simultaneous replies, ${load.deltas} pieces each, ${load.gap} ms apart: from the model to the reader`,
    subjects: [subject("limit", measure), subject("telex", measure)],
  };
};

const few = 100;
const many = 1000;
/** Milliseconds in which all streams wait for their second piece. */
const openTime = 3000;

/** Measures the memory of open streams, including their connection to the model. */
const memory = (over: keyof typeof readers): Workload => {
  const measure = async (stage: Stage): Promise<Measurement> => {
    const { server, upstream, target } = stage;
    await readAll(stage, warm, readers[over]);
    upstream.pace = { deltas: 3, gap: 3 * openTime };
    const open: Reading[] = [];
    const resident = async (streams: number): Promise<number> => {
      while (open.length < streams) open.push(await readers[over](target, () => {}));
      await new Promise((resolve) => setTimeout(resolve, openTime / 2));
      for (let time = 0; time < 3; time += 1) await server.collect();
      return (await server.memory()).now;
    };
    const before = await resident(few);
    const after = await resident(many);
    for (const { whole } of open) whole.catch(() => {});
    return { "KiB/stream": ((after - before) * 1024) / (many - few) };
  };
  return {
    name: `ai ${over} memory`,
    about: `${many} simultaneous replies that wait for their next piece: memory of each`,
    subjects: [subject("limit", measure), subject("telex", measure)],
  };
};

interface Stopped {
  readonly told: number;
  readonly closed: number;
}

/** Milliseconds from `stop` to the result, and to the end of the connection to the model. */
async function stopOne({ upstream }: Stage, chat: ChatSocket, question: string): Promise<Stopped> {
  const sent = performance.now();
  chat.stop();
  await chat.whole;
  const told = performance.now() - sent;
  while (!upstream.closed.has(question)) await new Promise((resolve) => setImmediate(resolve));
  return { told, closed: (upstream.closed.get(question) ?? Number.NaN) - sent };
}

const stopping = (streams: number): Workload => ({
  name: `ai stop ${streams}`,
  about: `${streams} simultaneous replies on sockets of their own, all stopped simultaneously: until the result is there, and until the model is left`,
  subjects: [
    subject("telex", async (stage) => {
      stage.upstream.pace = { deltas: 100_000, gap: 25 };
      const all: Stopped[] = [];
      for (let round = 0; all.length < 200; round += 1) {
        const questions = Array.from({ length: streams }, (_, index) => `question ${round} ${index}`);
        const chats = await Promise.all(
          questions.map(async (question) => [question, await ask(stage.target, question, () => {})] as const),
        );
        await Promise.all(chats.map(([, { begun }]) => begun));
        all.push(...(await Promise.all(chats.map(([question, chat]) => stopOne(stage, chat, question)))));
      }
      const figures = (name: string, values: readonly number[]): Measurement => ({
        [`${name} p50 ms`]: percentile(values, 0.5),
        [`${name} p99 ms`]: percentile(values, 0.99),
      });
      return {
        ...figures(
          "result",
          all.map(({ told }) => told),
        ),
        ...figures(
          "model left",
          all.map(({ closed }) => closed),
        ),
      };
    }),
  ],
});

/** Replies of a model, over server-sent events and over sockets. */
export const aiWorkloads = (): readonly Workload[] => [
  ...loads.map((load) => streaming("events", load)),
  ...loads.map((load) => streaming("socket", load)),
  memory("events"),
  memory("socket"),
  stopping(1),
  stopping(100),
];
