import { createMemoryStorage } from "@telex/storage-memory";
import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { intercept } from "@telex/conformance";
import { createLocalBus, TelexError } from "../src/index.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import type { DeviceFeed } from "../src/teleprinter/feed.ts";
import { createConnection, createKit } from "./kit.ts";

const deviceId = "printer";
const verbs = new Set(["take", "renew", "deliver", "requeue"]);

/** How a call of the storage fails: it changes nothing, or it is done before the caller gets the failure, or as many calls later as the number says. */
const fate = fc.constantFrom("fine", "before", "after", 0, 1, 2, 3);
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

const unavailable = (): Promise<never> => Promise.reject(new TelexError("storage_unavailable"));

/** A storage on which the next calls of a feed fail as planned. */
function createFailing() {
  const clock = createManualClock();
  const memory = createMemoryStorage({ clock });
  const plan: Fate[] = [];
  let late: { left: number; readonly run: () => Promise<unknown> }[] = [];
  /** Runs the calls whose delay has passed. */
  const land = async (): Promise<void> => {
    const due = late.filter(({ left }) => left <= 0);
    late = late.filter(({ left }) => left > 0);
    for (const one of late) one.left -= 1;
    for (const { run } of due) await run();
  };
  const own = intercept(memory, async ({ verb, run }) => {
    if (!verbs.has(verb)) return run();
    await land();
    const planned = plan.shift() ?? "fine";
    if (planned === "fine") return run();
    if (planned === "after") await run();
    if (typeof planned === "number") late.push({ left: planned, run });
    return unavailable();
  });
  const recover = async (): Promise<void> => {
    plan.length = 0;
    while (late.length > 0) await land();
  };
  return { clock, storage: { ...memory, ...own }, plan, recover };
}

/** A device that acknowledges what and when it wants. */
async function createInstallation(hasBus: boolean) {
  const { clock, storage, plan, recover } = createFailing();
  const kit = await createKit({ clock, storage, ...(hasBus && { bus: createLocalBus() }) });
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer" });
  const received = new Map<number, string>();
  const sent: string[] = [];
  const closed: string[] = [];
  /** Texts that arrived a second time over this connection, or after they were acknowledged. */
  const twice: string[] = [];
  const acknowledged = new Set<number>();
  let feed: DeviceFeed | null = null;
  let pushed = new Set<number>();
  const ignore = (cause: unknown): void => expect(cause).toMatchObject({ code: "storage_unavailable" });
  return {
    clock,
    plan,
    recover,
    received,
    sent,
    closed,
    twice,
    /** Texts that are neither delivered nor on their way over the open connection. */
    async missing(): Promise<string[]> {
      const { messages } = await kit.telex.teleprinter.messages(kit.alice, { deviceId });
      return messages.filter(({ id, delivered }) => delivered === 0 && !pushed.has(id)).map(({ content }) => content);
    },
    async connect(): Promise<void> {
      await feed?.close().catch(ignore);
      pushed = new Set();
      const { connection } = createConnection(kit.alice);
      feed = await kit.telex.connectDevice(
        {
          ...connection,
          close: (reason) => void closed.push(reason),
          push(events) {
            for (const { kind, data } of events) {
              if (kind !== "device_message") continue;
              if (pushed.has(data.id) || acknowledged.has(data.id)) twice.push(data.content);
              received.set(data.id, data.content);
              pushed.add(data.id);
            }
            return Promise.resolve(true);
          },
          ping: () => Promise.resolve(false),
        },
        { deviceId, ack: true },
      );
    },
    async send(): Promise<void> {
      const { content } = await kit.telex.teleprinter.send(kit.alice, { deviceId, content: `${sent.length}` });
      sent.push(content);
    },
    async acknowledge(place: number): Promise<void> {
      const id = [...received.keys()].at(place % Math.max(1, received.size));
      if (id === undefined) return;
      const isPushed = pushed.has(id);
      const isDone = await feed?.acknowledge(id).then(() => true, ignore);
      if (isDone === true && isPushed) acknowledged.add(id);
    },
  };
}

const steps = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("send" as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("acknowledge" as const), fc.nat(20)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("fail" as const), fc.array(fate, { minLength: 1, maxLength: 6 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("wait" as const), fc.integer({ min: 10, max: 20_000 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("connect" as const)) },
);

type Installation = Awaited<ReturnType<typeof createInstallation>>;
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

async function take(installation: Installation, step: Step): Promise<void> {
  if (step[0] === "send") await installation.send();
  else if (step[0] === "acknowledge") await installation.acknowledge(step[1]);
  else if (step[0] === "fail") installation.plan.push(...step[1]);
  else if (step[0] === "wait") await installation.clock.advance(step[1]);
  else await installation.connect();
  await ticks();
}

/** Faults that are rare, and that a feed did not survive: steps, and whether there is a bus. */
const rareFaults: [Step[], boolean][] = [
  // A text that is put back again after a failure may be acknowledged by then.
  [[["fail", ["before", 3]], ["send"], ["wait", 10], ["wait", 4990], ["acknowledge", 0], ["fail", ["fine"]]], true],
  // The lease of what the device has ends, and an attempt to take that fails takes it, in another name than before.
  [
    [
      ["send"],
      ["fail", ["before"]],
      ["send"],
      ["wait", 5000],
      ["wait", 20_000],
      ["wait", 20_000],
      ["fail", ["before", "before", "before"]],
      ["wait", 20_000],
      ["wait", 5000],
      ["fail", ["after", "fine", "before"]],
      ["send"],
      ["wait", 5000],
      ["acknowledge", 0],
    ],
    false,
  ],
  // A connection that ends cannot put back what it holds, and no other text comes.
  [[["send"], ["fail", ["before"]], ["connect"]], false],
];

const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 30);

it("a connected device has all texts a lease after the storage is back, whatever failed, and nothing twice", async () => {
  const has = fc.asyncProperty(
    fc.array(steps, { minLength: 5, maxLength: 40 }),
    fc.boolean(),
    async (taken, hasBus) => {
      const installation = await createInstallation(hasBus);
      await installation.connect();
      for (const step of taken) await take(installation, step);
      await installation.recover();
      for (let second = 0; second < 45; second += 5) await installation.clock.advance(5000);
      const { received, sent, closed, twice } = installation;
      const texts = [...received.values()].toSorted((a, b) => Number(a) - Number(b));
      expect([texts, await installation.missing(), twice, closed]).toEqual([sent, [], [], []]);
    },
  );
  await expect(fc.assert(has, { numRuns: runs, examples: rareFaults })).resolves.toBeUndefined();
});
