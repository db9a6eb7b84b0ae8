import { ticks } from "@telex/conformance/testing";
import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { type MqttDevice, openDevice } from "./device.ts";
import { createInstallation, deviceId, type DeviceSocket, openSocket, type Server, type Text } from "./installation.ts";

/** The state outside of Telex: the sent texts, those on the device, and those that it has confirmed. */
interface Model {
  /** The ids of texts by their contents, in the order in which they were sent. */
  readonly sent: Map<string, number>;
  /** Contents that the device has kept, without those that it already had. */
  readonly received: string[];
  readonly known: Set<number>;
  /** Ids that were finally delivered and must never be sent again. */
  readonly done: Set<number>;
  /** The texts from the device, each as often as it must be stored. */
  readonly said: string[];
}

/** The connection of the device: a socket, or MQTT. */
type Connected =
  | { readonly over: "socket"; readonly server: Server; readonly ack: boolean; readonly socket: DeviceSocket }
  | { readonly over: "mqtt"; readonly server: Server; readonly mqtt: MqttDevice };

interface Real extends Awaited<ReturnType<typeof createInstallation>> {
  readonly servers: Server[];
  connected: Connected | null;
  /** Connections that the device has dropped without its server noticing. */
  readonly lost: MqttDevice[];
  highest: number;
  /** The packet id of the last text from the device, with its content if it was not acknowledged. */
  packetId: number;
  unanswered: string | null;
}

function take(model: Model, texts: readonly Text[]): void {
  for (const { id, content } of texts) {
    if (model.done.has(id)) throw new Error(`${content} was delivered for good and came again`);
    if (model.known.has(id)) continue;
    if (id < Math.max(0, ...model.known)) throw new Error(`${content} came after a later one`);
    model.known.add(id);
    model.received.push(content);
  }
}

const serverOf = ({ servers }: Real, number: number): Server => servers[number] ?? expect.unreachable();

/** The device reads its texts, and acknowledges all, none, or all but the first one. */
async function read(model: Model, { connected }: Real, which: "all" | "none" | "later" = "all"): Promise<void> {
  if (connected === null) return;
  await ticks();
  const isMqtt = connected.over === "mqtt";
  const texts = isMqtt ? await connected.mqtt.look() : connected.socket.inbox.splice(0);
  take(model, texts);
  const isAcknowledged = isMqtt || connected.ack;
  const wanted = isAcknowledged ? texts.slice(which === "all" ? 0 : 1, which === "none" ? 0 : texts.length) : texts;
  if (!isMqtt && connected.socket.isOpen) {
    if (connected.ack) await connected.socket.feed?.acknowledge(wanted.map(({ id }) => id));
    for (const { id } of wanted) model.done.add(id);
  }
  if (isMqtt && (await connected.mqtt.acknowledge(wanted))) for (const { id } of wanted) model.done.add(id);
  await ticks(3);
}

/** The device closes its connection, or drops one without its server noticing. */
async function drop(model: Model, real: Real, isHeard: boolean): Promise<void> {
  const { connected } = real;
  if (connected === null) return;
  await read(model, real, "none");
  real.connected = null;
  if (connected.over === "socket") {
    connected.socket.isOpen = false;
    if (isHeard) await connected.socket.feed?.close();
  } else if (isHeard) connected.mqtt.client.socket.destroy();
  else {
    connected.mqtt.client.socket.pause();
    real.lost.push(connected.mqtt);
  }
  await ticks(5);
}

/** Repeats a text that was not acknowledged, as an MQTT client does. */
async function say(model: Model, real: Real, content: string, dup: boolean): Promise<void> {
  if (real.connected?.over !== "mqtt") return;
  // The next connection first repeats unacknowledged packets.
  if (!dup && real.unanswered !== null) return;
  if (!dup) real.packetId = (real.packetId % 3) + 1;
  if (!dup) model.said.push(content);
  real.unanswered = content;
  if (await real.connected.mqtt.say(content, real.packetId, dup)) real.unanswered = null;
}

async function connectMqtt(model: Model, real: Real, number: number, version: 4 | 5): Promise<void> {
  const server = serverOf(real, number);
  const idOf = (content: string): number => model.sent.get(content) ?? expect.unreachable();
  const mqtt = await openDevice({ server, token: real.token, version, idOf });
  real.connected = { over: "mqtt", server, mqtt };
  await ticks(5);
  if (real.unanswered !== null) await say(model, real, real.unanswered, true);
}

async function connectSocket(real: Real, number: number, ack: boolean): Promise<void> {
  const server = serverOf(real, number);
  real.connected = { over: "socket", server, ack, socket: await openSocket(server, real.caller, ack) };
  await ticks(5);
}

/** Kills a server together with its connection. */
async function kill(real: Real, number: number): Promise<void> {
  const server = serverOf(real, number);
  const { connected } = real;
  server.kill();
  if (connected?.server === server) {
    if (connected.over === "socket") connected.socket.isOpen = false;
    else connected.mqtt.client.socket.destroy();
    real.connected = null;
  }
  real.servers[number] = await real.start();
}

const numbered = fc.constantFrom(0, 1);

type Run = (model: Model, real: Real) => Promise<void>;

/** A step with a name for failures. */
const step = (name: string, run: Run) => ({ run, [fc.toStringMethod]: () => name });

const send = (number: number) =>
  step(`send(${number})`, async (model, real) => {
    const content = `m${model.sent.size + 1}`;
    const { teleprinter } = serverOf(real, number).telex;
    // The response to a send waits for a socket that accepts nothing.
    const sent = teleprinter.send(real.caller, { deviceId, content });
    void sent.then(({ id }) => model.sent.set(content, id));
    await real.pass(3);
    await sent;
  });

const poll = (number: number, isWritten: boolean) =>
  step(`poll(${number}, ${isWritten ? "written" : "lost"})`, async (model, real) => {
    // A poll ends a connection over MQTT, so its texts are read first.
    await read(model, real, "none");
    const listeners: ((written: boolean) => void)[] = [];
    const { teleprinter } = serverOf(real, number).telex;
    const polled = teleprinter.poll(
      real.caller,
      { deviceId, limit: 3 },
      { onWritten: (one) => void listeners.push(one) },
    );
    await real.pass(5);
    const texts = await polled;
    if (isWritten) take(model, texts);
    for (const listener of listeners) listener(isWritten);
    await ticks(3);
    if (isWritten) for (const { id } of texts) model.done.add(id);
  });

const ackPoll = (number: number, arrives: boolean) =>
  step(`ackPoll(${number}, ${arrives ? "arrives" : "lost"})`, async (model, real) => {
    await read(model, real, "none");
    const { teleprinter } = serverOf(real, number).telex;
    const polled = teleprinter.poll(real.caller, { deviceId, ack: real.highest, limit: 2 });
    await real.pass(5);
    const texts = await polled;
    // A poll cannot acknowledge texts that a connection holds, so the history shows no change.
    if (texts.length > 0) for (const id of model.known) if (id <= real.highest) model.done.add(id);
    if (!arrives) return;
    take(model, texts);
    real.highest = Math.max(real.highest, ...texts.map(({ id }) => id));
  });

const socket = (number: number, ack: boolean, isHeard: boolean) =>
  step(`socket(${number}, ack=${ack}, ${isHeard ? "closed before" : "lost before"})`, async (model, real) => {
    await drop(model, real, isHeard);
    await connectSocket(real, number, ack);
  });

const mqtt = (number: number, version: 4 | 5, isHeard: boolean) =>
  step(`mqtt(${number}, ${version}, ${isHeard ? "closed before" : "lost before"})`, async (model, real) => {
    await drop(model, real, isHeard);
    await connectMqtt(model, real, number, version);
  });

const spoken = (word: string) =>
  step(`say(${word})`, async (model, real) => {
    await read(model, real, "none");
    if (real.connected?.over === "mqtt" && real.connected.mqtt.isOpen()) await say(model, real, word, false);
  });

const killed = (number: number) =>
  step(`kill(${number})`, async (model, real) => {
    if (real.connected?.server === serverOf(real, number)) await read(model, real, "none");
    await kill(real, number);
  });

/** The device acknowledges or sends a text, and its server is killed some ticks later, so the outcome is unknown. */
const during = (says: boolean, wait: number) =>
  step(`during(${says ? "say" : "acknowledge"}, ${wait})`, async (model, real) => {
    if (real.connected?.over !== "mqtt") return;
    const { server, mqtt: device } = real.connected;
    const texts = await device.look();
    take(model, texts);
    // If the content were that of the last text with this packet id, and it did not arrive, its repeat would not be stored.
    const doing = says ? say(model, real, `said ${model.said.length}`, false) : device.acknowledge(texts);
    await ticks(wait);
    await kill(real, real.servers.indexOf(server));
    await doing;
  });

const versions = fc.constantFrom(4 as const, 5 as const);
const parts = fc.constantFrom("all" as const, "all" as const, "none" as const, "later" as const);
/** Few contents and few packet ids: without DUP, each text is stored, even if its content and its packet id are those of another one. */
const words = fc.constantFrom("a", "b");

const steps = fc.oneof(
  { weight: 6, arbitrary: numbered.map(send) },
  { weight: 5, arbitrary: fc.tuple(numbered, versions, fc.boolean()).map((given) => mqtt(...given)) },
  { weight: 5, arbitrary: parts.map((part) => step(`read(${part})`, (model, real) => read(model, real, part))) },
  { weight: 4, arbitrary: words.map(spoken) },
  { weight: 3, arbitrary: fc.tuple(fc.boolean(), fc.nat(6)).map((given) => during(...given)) },
  { weight: 2, arbitrary: fc.tuple(numbered, fc.boolean()).map((given) => poll(...given)) },
  { weight: 2, arbitrary: fc.tuple(numbered, fc.boolean()).map((given) => ackPoll(...given)) },
  { weight: 2, arbitrary: fc.tuple(numbered, fc.boolean(), fc.boolean()).map((given) => socket(...given)) },
  { weight: 1, arbitrary: fc.constant(step("drop", (model, real) => drop(model, real, true))) },
  { weight: 1, arbitrary: numbered.map(killed) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 6, 31).map((time) => step(`wait(${time})`, (_, real) => real.pass(time))),
  },
);

async function start(): Promise<{ readonly model: Model; readonly real: Real }> {
  const installation = await createInstallation();
  const { a, b } = installation;
  const own = { servers: [a, b], connected: null, lost: [], highest: 0, packetId: 0, unanswered: null };
  const model: Model = { sent: new Map(), received: [], known: new Set(), done: new Set(), said: [] };
  return { model, real: { ...installation, ...own } };
}

/** At the end, all waiting texts are sent over MQTT, and unacknowledged texts are repeated. */
async function finish(model: Model, real: Real): Promise<void> {
  await read(model, real);
  await drop(model, real, true);
  await real.pass(31);
  await connectMqtt(model, real, 0, 5);
  await real.pass(6);
  for (let before = -1; before < model.received.length;) {
    before = model.received.length;
    await read(model, real);
  }
  for (const { client } of real.lost) client.socket.destroy();
}

async function saidTo({ servers, caller }: Real): Promise<readonly string[]> {
  const { messages } =
    (await servers[0]?.telex.teleprinter.messages(caller, { deviceId, pageSize: 100 })) ?? expect.unreachable();
  return messages
    .filter(({ direction }) => direction === "from_device")
    .map(({ content }) => content)
    .toReversed();
}

/** The number of sequences: few, or `TELEX_MODEL_RUNS`. */
const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 15);

it("gets and sends every text once, in order, over MQTT, sockets and polls of two servers that are killed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 40 }), async (script) => {
      const { model, real } = await start();
      for (const { run } of script) await run(model, real);
      await finish(model, real);
      expect(model.received).toEqual([...model.sent.keys()]);
      expect(await saidTo(real)).toEqual(model.said);
      await drop(model, real, true);
      await Promise.all(real.servers.map((server) => server.close()));
    }),
    { numRuns: runs },
  );
}, 600_000);
