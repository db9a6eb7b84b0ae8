import { createMemoryStorage } from "@telex/storage-memory";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { type Caller, createLocalBus, operator } from "../src/index.ts";
import type { DeviceFeed } from "../src/teleprinter/feed.ts";
import { createManualClock, ticks, type ManualClock } from "@telex/conformance/testing";
import { createConnection } from "./kit.ts";
import { type Killable, startKillable } from "./killable.ts";

const deviceId = "printer";

/** The state outside of Telex: the acknowledged texts, those on the device, and those that it has confirmed. */
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

/** The open socket of the device. */
interface DeviceSocket {
  readonly server: number;
  readonly ack: boolean;
  readonly feed: DeviceFeed | null;
  /** Frames that the device has not looked at. */
  readonly inbox: { id: number; content: string }[];
  isOpen: boolean;
}

/** Two servers, each of which can be killed and comes back. */
interface Real {
  readonly servers: Killable[];
  readonly restart: () => Promise<Killable>;
  readonly caller: Caller;
  readonly clock: ManualClock;
  socket: DeviceSocket | null;
  highest: number;
}

function take(model: Model, messages: readonly { id: number; content: string }[]): void {
  for (const { id, content } of messages) {
    if (model.done.has(id)) throw new Error(`message ${id} was delivered for good and came again`);
    if (model.knownIds.has(id)) continue;
    if (id < Math.max(0, ...model.knownIds)) throw new Error(`message ${id} came after a later one`);
    model.knownIds.add(id);
    model.received.push(content);
  }
}

const serverOf = ({ servers }: Real, number: number): Killable["telex"] => {
  const server = servers[number];
  if (server === undefined) throw new Error(`There is no server ${number}.`);
  return server.telex;
};

/** Lets time pass second by second, as it does: what a storage answers comes before the next timer. */
async function pass({ clock }: Real, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await ticks(2);
    await clock.advance(1000);
  }
  await ticks(2);
}

abstract class Command implements fc.AsyncCommand<Model, Real> {
  readonly server: number;
  constructor(server: number) {
    this.server = server;
  }
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  abstract run(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Send extends Command {
  async run(model: Model, real: Real): Promise<void> {
    model.count += 1;
    const content = `m${model.count}`;
    const sent = serverOf(real, this.server).teleprinter.send(real.caller, { deviceId, content });
    // It is stored when the call has begun; the answer of a send waits for a socket that takes nothing.
    model.sent.push(content);
    await ticks(3);
    await pass(real, 3);
    await sent;
  }
  toString = () => `send(${this.server})`;
}

/** A plain poll, whose answer is written or lost. */
class Poll extends Command {
  readonly written: boolean;
  constructor(server: number, written: boolean) {
    super(server);
    this.written = written;
  }
  async run(model: Model, real: Real): Promise<void> {
    const listeners: ((written: boolean) => void)[] = [];
    const onWritten = (listener: (written: boolean) => void): void => void listeners.push(listener);
    const { teleprinter } = serverOf(real, this.server);
    const messages = await teleprinter.poll(real.caller, { deviceId, limit: 3 }, { onWritten });
    if (this.written) take(model, messages);
    for (const listener of listeners) listener(this.written);
    await ticks(3);
    if (this.written) for (const { id } of messages) model.done.add(id);
  }
  toString = () => `poll(${this.server}, ${this.written ? "written" : "lost"})`;
}

/** A poll with ack, which the device repeats until it has what it asked for. */
class AckPoll extends Command {
  readonly arrives: boolean;
  constructor(server: number, arrives: boolean) {
    super(server);
    this.arrives = arrives;
  }
  async run(model: Model, real: Real): Promise<void> {
    const { teleprinter } = serverOf(real, this.server);
    const messages = await teleprinter.poll(real.caller, { deviceId, ack: real.highest, limit: 2 });
    // A poll cannot acknowledge texts that an open socket holds, so the history shows no change.
    if (messages.length > 0) for (const id of model.knownIds) if (id <= real.highest) model.done.add(id);
    if (!this.arrives) return;
    take(model, messages);
    real.highest = Math.max(real.highest, ...messages.map(({ id }) => id));
  }
  toString = () => `ackPoll(${this.server}, ${this.arrives ? "arrives" : "lost"})`;
}

/** The device looks at what came over its socket, and acknowledges it where that was agreed. */
async function read(model: Model, { socket }: Real): Promise<void> {
  const messages = socket?.inbox.splice(0) ?? [];
  take(model, messages);
  if (socket === null || !socket.isOpen) return;
  for (const { id } of messages) {
    if (socket.ack) await socket.feed?.acknowledge(id);
    model.done.add(id);
  }
  await ticks(3);
}

/** The device closes its socket, or it forgets one whose server does not hear it any more. */
async function drop(model: Model, real: Real, isHeard: boolean): Promise<void> {
  const { socket } = real;
  if (socket === null) return;
  // Without ack what the socket took counts as delivered: the device reads it to its end.
  if (!socket.ack) await read(model, real);
  real.socket = null;
  socket.isOpen = false;
  if (isHeard) await socket.feed?.close();
}

/** The device opens a socket; an older one of it does not answer any more, whether or not its server knows that. */
class Connect extends Command {
  readonly ack: boolean;
  readonly isHeard: boolean;
  constructor(server: number, ack: boolean, isHeard: boolean) {
    super(server);
    this.ack = ack;
    this.isHeard = isHeard;
  }
  async run(model: Model, real: Real): Promise<void> {
    await drop(model, real, this.isHeard);
    const socket = { server: this.server, ack: this.ack, inbox: [], isOpen: true } as const;
    const open: { -readonly [Key in keyof DeviceSocket]: DeviceSocket[Key] } = { ...socket, inbox: [], feed: null };
    open.feed = await serverOf(real, this.server).connectDevice(
      {
        ...createConnection(real.caller).connection,
        close: () => void (open.isOpen = false),
        ping: () => Promise.resolve(open.isOpen),
        push(events) {
          if (!open.isOpen) return Promise.resolve(false);
          for (const { kind, data } of events) if (kind === "device_message") open.inbox.push(data);
          return Promise.resolve(true);
        },
      },
      { deviceId, ack: this.ack },
    );
    real.socket = open;
    await ticks(5);
  }
  toString = () => `connect(${this.server}, ack=${this.ack}, ${this.isHeard ? "closed before" : "lost before"})`;
}

class Read extends Command {
  run = read;
  toString = () => "read";
}

class Drop extends Command {
  run = (model: Model, real: Real): Promise<void> => drop(model, real, true);
  toString = () => "drop";
}

/** Kills a server, with the socket that it has. */
class Kill extends Command {
  async run(model: Model, real: Real): Promise<void> {
    if (real.socket?.server === this.server) await drop(model, real, false);
    real.servers[this.server]?.kill();
    real.servers[this.server] = await real.restart();
  }
  toString = () => `kill(${this.server})`;
}

class Wait extends Command {
  readonly seconds: number;
  constructor(seconds: number) {
    super(0);
    this.seconds = seconds;
  }
  run = (_model: Model, real: Real): Promise<void> => pass(real, this.seconds);
  toString = () => `wait(${this.seconds})`;
}

async function setup() {
  const clock = createManualClock();
  const shared = { clock, storage: createMemoryStorage({ clock }), bus: createLocalBus() };
  const restart = () => startKillable(shared);
  const servers = [await restart(), await restart()];
  const [{ telex } = await restart()] = servers;
  await telex.operator.users.add(operator, { nickname: "A" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId, name: "Printer" });
  const real: Real = { servers, restart, caller, clock, socket: null, highest: 0 };
  const model: Model = { sent: [], received: [], knownIds: new Set(), done: new Set(), count: 0 };
  return { model, real };
}

const server = fc.constantFrom(0, 1);

const commands = fc.commands(
  [
    server.map((at) => new Send(at)),
    fc.tuple(server, fc.boolean()).map(([at, written]) => new Poll(at, written)),
    fc.tuple(server, fc.boolean()).map(([at, arrives]) => new AckPoll(at, arrives)),
    fc.tuple(server, fc.boolean(), fc.boolean()).map(([at, ack, isHeard]) => new Connect(at, ack, isHeard)),
    fc.constant(new Read(0)),
    fc.constant(new Drop(0)),
    server.map((at) => new Kill(at)),
    fc.constantFrom(1, 6, 31).map((seconds) => new Wait(seconds)),
  ],
  { maxCommands: 40 },
);

/** Sequences that are tried: few, or as many as `TELEX_MODEL_RUNS` says. */
const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 150);

describe("a device, whatever happens to two servers", () => {
  it("gets every message that was acknowledged to its sender exactly once, in order, by socket or poll", async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (script) => {
        const started = await setup();
        await fc.asyncModelRun(() => started, script);
        const { model, real } = started;
        await read(model, real);
        await drop(model, real, true);
        // A poll is empty while another server is asked about a lost socket that took texts.
        for (let empty = 0; empty < 2;) {
          await pass(real, 31);
          const messages = await serverOf(real, 0).teleprinter.poll(real.caller, { deviceId });
          take(model, messages);
          if (messages.length === 0) empty += 1;
        }
        for (const { telex } of real.servers) await telex.close();
        expect(model.received).toEqual(model.sent);
      }),
      { numRuns: runs },
    );
  });
});
