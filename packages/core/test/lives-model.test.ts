import { createMemoryStorage } from "@telex/storage-memory";
import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { type Caller, createLocalBus, type DeviceMessageView, operator } from "../src/index.ts";
import { createManualClock, type ManualClock, ticks } from "@telex/conformance/testing";
import { type Killable, startKillable } from "./killable.ts";

const deviceId = "printer";

/** A text that was sent, and what must hold for it. */
interface Sent {
  readonly content: string;
  readonly priority: number;
  /** Unix milliseconds before which it must not come. */
  readonly from: number;
  /** Unix milliseconds from which on it must not come. */
  readonly until: number;
}

interface World {
  readonly servers: Killable[];
  readonly restart: () => Promise<Killable>;
  readonly caller: Caller;
  readonly clock: ManualClock;
  readonly sent: Sent[];
  readonly received: Set<string>;
  /** Acknowledged or given up: never again. */
  readonly done: Set<string>;
  /** The ids that came last. */
  ids: readonly number[];
}

const serverOf = ({ servers }: World, number: number): Killable => servers[number] ?? expect.unreachable();

async function pass({ clock }: Pick<World, "clock">, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await ticks(3);
    await clock.advance(1000);
  }
  await ticks(3);
}

async function kill(world: World, number: number): Promise<void> {
  serverOf(world, number).kill();
  world.servers[number] = await world.restart();
}

interface Text {
  readonly priority: number;
  /** Seconds. */
  readonly life: number | null;
  /** Seconds from now. */
  readonly later: number | null;
}

/** Sends a text. With `lostAfter`, its server is killed that many ticks later, and the text is sent again with its nonce. */
async function send(
  world: World,
  number: number,
  { priority, life, later }: Text,
  lostAfter: number | null,
): Promise<void> {
  const { clock, caller, sent } = world;
  const content = `m${sent.length + 1}`;
  const at = clock.now() + (later ?? 0) * 1000;
  const until = life === null ? Number.POSITIVE_INFINITY : at + life * 1000;
  sent.push({ content, priority, from: at, until });
  const input = {
    deviceId,
    content,
    priority,
    nonce: content,
    ...(life !== null && { life }),
    ...(later !== null && { at }),
  };
  const call = () => serverOf(world, number).telex.teleprinter.send(caller, input);
  const answered = call();
  if (lostAfter !== null) {
    await ticks(lostAfter);
    await kill(world, number);
  }
  await (lostAfter === null ? answered : call());
}

function take({ sent, received, done, clock }: World, texts: readonly DeviceMessageView[]): void {
  for (const { content } of texts) {
    const one = sent.find((text) => text.content === content) ?? expect.unreachable();
    expect(done.has(content), `${content} comes again`).toBe(false);
    expect(one.from, `${content} comes too early`).toBeLessThanOrEqual(clock.now());
    expect(one.until, `${content} has expired`).toBeGreaterThan(clock.now());
    received.add(content);
  }
}

const priorityOf = ({ priority = 3 }: DeviceMessageView): number => priority;
const isSorted = (texts: readonly DeviceMessageView[]): boolean =>
  texts.every((text, place) => {
    const before = texts[place - 1];
    if (before === undefined) return true;
    const by = priorityOf(before) - priorityOf(text);
    return by > 0 || (by === 0 && before.id < text.id);
  });

/** A poll in the order of urgency, which acknowledges every second text that came last, and gives one up. */
async function poll(world: World, number: number, limit: number): Promise<void> {
  const acks = world.ids.filter((_, place) => place % 2 === 0);
  const failed = world.ids.slice(1, 2);
  // A poll without acknowledgements would deliver what it returns: this id is none.
  const acknowledged = { acks: acks.join(",") || "999999999", ...(failed.length > 0 && { failed: failed.join(",") }) };
  const { teleprinter } = serverOf(world, number).telex;
  const before = await teleprinter.messages(world.caller, { deviceId, pageSize: 100 });
  const texts = await teleprinter.poll(world.caller, { deviceId, order: "priority", limit, ...acknowledged });
  for (const { id, content } of before.messages) if (acks.includes(id) || failed.includes(id)) world.done.add(content);
  take(world, texts);
  expect(texts).toSatisfy(isSorted);
  world.ids = texts.map(({ id }) => id);
}

const numbered = fc.constantFrom(0, 1);
const text = fc.record({
  priority: fc.integer({ min: 1, max: 5 }),
  life: fc.option(fc.integer({ min: 1, max: 30 }), { freq: 2 }),
  later: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 2 }),
});

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("send" as const), number: numbered, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lose" as const), number: numbered, text, after: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("poll" as const),
      number: numbered,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("kill" as const), number: numbered }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.constantFrom(1, 4, 15) }) },
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

function run(world: World, step: Step): Promise<void> {
  if (step.kind === "send") return send(world, step.number, step.text, null);
  if (step.kind === "lose") return send(world, step.number, step.text, step.after);
  if (step.kind === "poll") return poll(world, step.number, step.limit);
  return step.kind === "kill" ? kill(world, step.number) : pass(world, step.seconds);
}

async function start(): Promise<World> {
  const clock = createManualClock();
  const shared = { clock, storage: createMemoryStorage({ clock }), bus: createLocalBus() };
  const restart = (): Promise<Killable> => startKillable(shared);
  const servers = [await restart(), await restart()];
  const { telex } = await restart();
  await telex.operator.users.add(operator, { nickname: "A" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId, name: "Printer" });
  return { servers, restart, caller, clock, sent: [], received: new Set(), done: new Set(), ids: [] };
}

/** In the end, every text that is due and has not expired arrives, and no other text waits. */
async function finish(world: World): Promise<void> {
  await pass(world, 60);
  const { teleprinter } = serverOf(world, 0).telex;
  for (let left = true; left;) {
    const texts = await teleprinter.poll(world.caller, { deviceId });
    take(world, texts);
    for (const { content } of texts) world.done.add(content);
    left = texts.length > 0;
  }
  const { messages } = await teleprinter.messages(world.caller, { deviceId, pageSize: 100 });
  const stored = messages.map(({ content }) => content);
  expect(stored.toSorted()).toEqual(world.sent.map(({ content }) => content).toSorted());
  expect(
    messages.filter(({ delivered, state }) => delivered === 0 && state !== "expired" && state !== "failed"),
  ).toEqual([]);
  const everlasting = world.sent.filter(({ until }) => until === Number.POSITIVE_INFINITY);
  expect(everlasting.filter(({ content }) => !world.received.has(content))).toEqual([]);
}

/** Sequences that are tried: few, or as many as `TELEX_MODEL_RUNS` says. */
const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 15);

it("gets each text once, neither early nor late, the most urgent ones first, from two servers that are killed", async () => {
  const holds = fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 40 }), async (taken) => {
    const world = await start();
    for (const step of taken) await run(world, step);
    await finish(world);
    for (const { telex } of world.servers) await telex.close();
  });
  await expect(fc.assert(holds, { numRuns: runs })).resolves.toBeUndefined();
});
