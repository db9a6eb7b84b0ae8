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
import { coldRequests, type Done, measurePhases } from "../lib/phases.ts";
import { type Running, run, serverCore, withFolder } from "../lib/process.ts";
import { percentile } from "../lib/statistics.ts";
import { type Measurement, type Subject, warmRequests, type Workload } from "../lib/workload.ts";

const programs = {
  limit: new URL("../limits/chat.ts", import.meta.url).pathname,
  telex: new URL("../servers/telex.ts", import.meta.url).pathname,
} as const;
const readers = { events: readEvents, socket: readSocket } as const satisfies Readonly<Record<string, Read>>;

/** Simultaneous streams, and the pace of each. */
interface Streams extends Pace {
  readonly streams: number;
}

/** The number of simultaneous streams, and the pace of each: 4,000 pieces per second with many streams. */
const loads: readonly Streams[] = [
  { streams: 1, deltas: 1000, gap: 3 },
  { streams: 100, deltas: 200, gap: 25 },
  { streams: 1000, deltas: 50, gap: 250 },
];
const warmTurn = { streams: 100, deltas: 40, gap: 5 } as const;

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
interface Cost extends Done {
  /** Milliseconds of each piece from the upstream to the reader. */
  readonly took: readonly number[];
  /** CPU microseconds of a piece while all streams are in progress. */
  readonly piece: number;
  /** CPU microseconds of a reply in addition to its pieces: for its beginning, end and storage. */
  readonly reply: number;
}

/** The pieces that have arrived, and the CPU microseconds of the server so far. */
interface State {
  readonly heard: number;
  readonly cpu: number;
}

/** The states before the first stream, after all have begun, before the first one ends, and after all have ended. */
type States = readonly [before: State, begun: State, ending: State, after: State];

function costOfStreams(took: readonly number[], streams: number, [before, begun, ending, after]: States): Cost {
  const piece = (ending.cpu - begun.cpu) / (ending.heard - begun.heard);
  const reply = (after.cpu - before.cpu - piece * took.length) / streams;
  return { count: took.length, p99: percentile(took, 0.99), took, piece, reply };
}

/** Reads this many simultaneous streams to their end. */
async function readAll({ upstream, server, target }: Stage, { streams, ...pace }: Streams, read: Read): Promise<Cost> {
  upstream.pace = pace;
  let heard = 0;
  const state = async (): Promise<State> => ({ heard, cpu: (await server.cpu()) * 1e6 });
  const before = await state();
  const readings = await Promise.all(
    Array.from({ length: streams }, () => read(target, (pieces) => (heard += pieces))),
  );
  await Promise.all(readings.map(({ begun }) => begun));
  const begun = await state();
  await Promise.race(readings.map(({ whole }) => whole));
  const ending = await state();
  const took = (await Promise.all(readings.map(({ whole }) => whole))).flat();
  if (took.length !== streams * pace.deltas) throw new Error(`${took.length} pieces of ${streams} replies arrived.`);
  return costOfStreams(took, streams, [before, begun, ending, await state()]);
}

/** Milliseconds in which the last of many replies of a cold server begins. */
const coldTime = 3000;

/** The first pieces of the process. The cost of a piece is known only if the last reply begins before the first one ends. */
const coldLoad = ({ streams, gap }: Streams): Streams => ({
  streams,
  deltas: Math.max(coldRequests / streams, coldTime / gap),
  gap,
});

/** Reads short replies until the server is warm. */
async function warmUp(stage: Stage, read: Read): Promise<void> {
  for (let pieces = 0; pieces < warmRequests; pieces += warmTurn.streams * warmTurn.deltas)
    await readAll(stage, warmTurn, read);
}

async function measureStreams(stage: Stage, load: Streams, read: Read): Promise<Measurement> {
  const { cold, warm, figures } = await measurePhases(stage.server, {
    unit: "delta",
    cold: () => readAll(stage, coldLoad(load), read),
    warmUp: () => warmUp(stage, read),
    warm: () => readAll(stage, load, read),
  });
  const costs = { "CPU µs/delta": warm.piece, "CPU µs/reply beside": warm.reply };
  const coldCosts = { "cold CPU µs/delta": cold.piece, "cold CPU µs/reply beside": cold.reply };
  return { "p50 ms": percentile(warm.took, 0.5), ...figures, ...costs, ...coldCosts };
}

const streaming = (over: keyof typeof readers, load: Streams): Workload => {
  const measure = (stage: Stage): Promise<Measurement> => measureStreams(stage, load, readers[over]);
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

/** The resident memory in MiB of this many open streams, after the next ones were opened. */
async function residentOf(stage: Stage, read: Read, open: Reading[], streams: number): Promise<number> {
  while (open.length < streams) open.push(await read(stage.target, () => {}));
  await new Promise((resolve) => setTimeout(resolve, openTime / 2));
  for (let time = 0; time < 3; time += 1) await stage.server.collect();
  return (await stage.server.memory()).now;
}

/** Measures the memory of open streams, including their connection to the model. */
async function measureMemory(stage: Stage, read: Read): Promise<Measurement> {
  const idle = (await stage.server.memory()).now;
  await readAll(stage, warmTurn, read);
  stage.upstream.pace = { deltas: 3, gap: 3 * openTime };
  const open: Reading[] = [];
  const before = await residentOf(stage, read, open, few);
  const after = await residentOf(stage, read, open, many);
  for (const { whole } of open) whole.catch(() => {});
  const { peak } = await stage.server.memory();
  return { "KiB/stream": ((after - before) * 1024) / (many - few), "idle MiB": idle, "peak MiB": peak };
}

const memory = (over: keyof typeof readers): Workload => {
  const measure = (stage: Stage): Promise<Measurement> => measureMemory(stage, readers[over]);
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

/** Replies that were stopped. `p99` is that of their results. */
interface StoppedAll extends Done {
  readonly told: readonly number[];
  readonly closed: readonly number[];
}

/** Begins replies on sockets of their own, and stops all of them simultaneously. */
async function stopTurn(stage: Stage, name: string, streams: number): Promise<readonly Stopped[]> {
  const questions = Array.from({ length: streams }, (_, index) => `question ${name} ${index}`);
  const chats = await Promise.all(
    questions.map(async (question) => [question, await ask(stage.target, question, () => {})] as const),
  );
  await Promise.all(chats.map(([, { begun }]) => begun));
  return await Promise.all(chats.map(([question, chat]) => stopOne(stage, chat, question)));
}

/** Stops replies in turns. */
async function stopAll(stage: Stage, name: string, streams: number, total: number): Promise<StoppedAll> {
  stage.upstream.pace = { deltas: 100_000, gap: 25 };
  const all: Stopped[] = [];
  while (all.length < total) all.push(...(await stopTurn(stage, `${name} ${all.length}`, streams)));
  const told = all.map((one) => one.told);
  return { count: all.length, p99: percentile(told, 0.99), told, closed: all.map(({ closed }) => closed) };
}

/** Stopped replies of a measurement, and those before it. Each also has a socket, a question and a few pieces. */
const [stops, warmStops] = [200, 4000] as const;

async function measureStops(stage: Stage, streams: number): Promise<Measurement> {
  const { warm, figures } = await measurePhases(stage.server, {
    unit: "stopped reply",
    cold: () => stopAll(stage, "cold", streams, stops),
    warmUp: () => stopAll(stage, "between", 100, warmStops),
    warm: () => stopAll(stage, "warm", streams, stops),
  });
  return {
    "p50 ms": percentile(warm.told, 0.5),
    ...figures,
    "model left p50 ms": percentile(warm.closed, 0.5),
    "model left p99 ms": percentile(warm.closed, 0.99),
  };
}

const stopping = (streams: number): Workload => ({
  name: `ai stop ${streams}`,
  about: `${streams} simultaneous replies on sockets of their own, all stopped simultaneously: until the result is there, and until the model is left`,
  subjects: [subject("telex", (stage) => measureStops(stage, streams))],
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
