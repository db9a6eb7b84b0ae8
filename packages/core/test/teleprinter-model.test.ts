import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { type Caller, createTelex, operator, type Storage, type Telex } from "../src/index.ts";
import type { DeviceFeed } from "../src/teleprinter/feed.ts";
import type { DeviceConnection } from "../src/instance/live-events.ts";
import { createSharpEngine } from "../src/images/sharp.ts";
import { createManualClock, ticks, type ManualClock } from "../src/testing/index.ts";

const deviceId = "printer";
const images = createSharpEngine();

/** What the outside knows: what was sent and acknowledged, what the device has, and what it has confirmed. */
interface Model {
  /** Contents in the order in which `send` answered. */
  readonly sent: string[];
  /** Contents that the device has kept, after dropping ids that it knows. */
  readonly received: string[];
  readonly knownIds: Set<number>;
  /** Ids that were delivered for good: they must never come again. */
  readonly done: Set<number>;
  count: number;
}

/** An instance that can crash: what the storage holds in memory for it is lost, what it stored is not. */
interface Real {
  telex: Telex;
  caller: Caller;
  readonly clock: ManualClock;
  readonly storage: Storage;
  feed: DeviceFeed | null;
  ack: boolean;
  /** Frames on the open socket that the device has not looked at. */
  inbox: { id: number; content: string }[];
  highest: number;
}

async function boot(real: Pick<Real, "storage" | "clock">): Promise<Telex> {
  // The storage outlives the instance, as a database file does.
  const storage = { ...real.storage, close: () => Promise.resolve() };
  return createTelex({ storage, blobs: createMemoryBlobs(), images, clock: real.clock });
}

function take(model: Model, messages: readonly { id: number; content: string }[]): void {
  for (const { id, content } of messages) {
    if (model.done.has(id)) throw new Error(`message ${id} was delivered for good and came again`);
    if (model.knownIds.has(id)) continue;
    model.knownIds.add(id);
    model.received.push(content);
  }
}

abstract class Command implements fc.AsyncCommand<Model, Real> {
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  abstract run(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Send extends Command {
  async run(model: Model, { telex, caller }: Real): Promise<void> {
    model.count += 1;
    const content = `m${model.count}`;
    await telex.teleprinter.send(caller, { deviceId, content });
    model.sent.push(content);
    await ticks(3);
  }
  toString = () => "send";
}

/** A plain poll, whose answer is written or lost. */
class Poll extends Command {
  readonly written: boolean;
  constructor(written: boolean) {
    super();
    this.written = written;
  }
  async run(model: Model, { telex, caller }: Real): Promise<void> {
    const listeners: ((written: boolean) => void)[] = [];
    const onWritten = (listener: (written: boolean) => void): void => void listeners.push(listener);
    const messages = await telex.teleprinter.poll(caller, { deviceId, limit: 3 }, { onWritten });
    if (this.written) take(model, messages);
    for (const listener of listeners) listener(this.written);
    await ticks(3);
    if (this.written) for (const { id } of messages) model.done.add(id);
  }
  toString = () => `poll(${this.written ? "written" : "lost"})`;
}

/** A poll with ack, which the device repeats until it has what it asked for. */
class AckPoll extends Command {
  readonly arrives: boolean;
  constructor(arrives: boolean) {
    super();
    this.arrives = arrives;
  }
  async run(model: Model, real: Real): Promise<void> {
    const messages = await real.telex.teleprinter.poll(real.caller, { deviceId, ack: real.highest, limit: 2 });
    // What is on the open socket already may still be read there.
    const onSocket = new Set(real.inbox.map(({ id }) => id));
    for (const id of model.knownIds) if (id <= real.highest && !onSocket.has(id)) model.done.add(id);
    if (!this.arrives) return;
    take(model, messages);
    real.highest = Math.max(real.highest, ...messages.map(({ id }) => id));
  }
  toString = () => `ackPoll(${this.arrives ? "arrives" : "lost"})`;
}

class Connect extends Command {
  readonly ack: boolean;
  constructor(ack: boolean) {
    super();
    this.ack = ack;
  }
  async run(_model: Model, real: Real): Promise<void> {
    if (real.feed !== null || real.caller.kind !== "token") return;
    const connection: DeviceConnection = {
      holder: real.caller,
      write() {},
      close() {},
      ping: () => Promise.resolve(false),
      push(events) {
        for (const { kind, data } of events) if (kind === "device_message") real.inbox.push(data);
        return Promise.resolve(true);
      },
    };
    real.ack = this.ack;
    real.feed = await real.telex.connectDevice(connection, { deviceId, ack: this.ack });
    await ticks(5);
  }
  toString = () => `connect(ack=${this.ack})`;
}

/** The device looks at what came over its socket, and acknowledges it where that was agreed. */
class Read extends Command {
  async run(model: Model, real: Real): Promise<void> {
    const messages = real.inbox.splice(0);
    take(model, messages);
    for (const { id } of messages) {
      if (real.ack) await real.feed?.acknowledge(id);
      model.done.add(id);
    }
    await ticks(3);
  }
  toString = () => "read";
}

class Drop extends Command {
  async run(model: Model, real: Real): Promise<void> {
    // Without ack what the socket took counts as delivered: the device reads it to its end.
    if (!real.ack) await new Read().run(model, real);
    real.inbox = [];
    await real.feed?.close();
    real.feed = null;
  }
  toString = () => "drop";
}

class Crash extends Command {
  async run(model: Model, real: Real): Promise<void> {
    await new Drop().run(model, real);
    await real.telex.close();
    real.telex = await boot(real);
  }
  toString = () => "restart";
}

class Wait extends Command {
  async run(_model: Model, { clock, telex }: Real): Promise<void> {
    await clock.advance(telex.limits.pollLease + 1);
  }
  toString = () => "wait";
}

async function setup() {
  const clock = createManualClock();
  const storage = createMemoryStorage({ clock });
  const telex = await boot({ clock, storage });
  await telex.operator.users.add(operator, { nickname: "A" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId, name: "Printer" });
  const real: Real = { telex, caller, clock, storage, feed: null, ack: false, inbox: [], highest: 0 };
  const model: Model = { sent: [], received: [], knownIds: new Set(), done: new Set(), count: 0 };
  return { model, real };
}

const commands = fc.commands(
  [
    fc.constant(new Send()),
    fc.boolean().map((written) => new Poll(written)),
    fc.boolean().map((arrives) => new AckPoll(arrives)),
    fc.boolean().map((ack) => new Connect(ack)),
    fc.constant(new Read()),
    fc.constant(new Drop()),
    fc.constant(new Crash()),
    fc.constant(new Wait()),
  ],
  { maxCommands: 40 },
);

/** Sequences that are tried: few, or as many as `TELEX_MODEL_RUNS` says. */
const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 150);

describe("a device, whatever happens", () => {
  it("gets every message that was acknowledged to its sender exactly once, in order, by socket or poll", async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (script) => {
        const started = await setup();
        await fc.asyncModelRun(() => started, script);
        const { model, real } = started;
        await new Read().run(model, real);
        await new Drop().run(model, real);
        await new Wait().run(model, real);
        for (let left = true; left;) {
          const messages = await real.telex.teleprinter.poll(real.caller, { deviceId });
          take(model, messages);
          left = messages.length > 0;
        }
        await real.telex.close();
        expect(model.received).toEqual(model.sent);
      }),
      { numRuns: runs },
    );
  });
});
