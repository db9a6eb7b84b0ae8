import { generate, type Packet } from "mqtt-packet";
import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { connectPacket, logIn, openRaw, startMqtt } from "./harness.ts";

const topics = [
  "telex/kitchen/to",
  "telex/kitchen/from",
  "telex/kitchen/status",
  "telex/+/from",
  "#",
  "",
  "telex/kitchen/send",
];
const topic = fc.oneof(fc.constantFrom(...topics), fc.string({ maxLength: 20 }));
const messageId = fc.integer({ min: 1, max: 65_535 });
const qos = fc.constantFrom(0, 1, 2);

/** Packets that a client can send. */
const packets: fc.Arbitrary<Packet> = fc.oneof(
  fc.record({
    cmd: fc.constant("publish"),
    topic: fc.constantFrom(...topics.filter((one) => one !== "")),
    payload: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    qos,
    messageId,
    dup: fc.constant(false),
    retain: fc.boolean(),
  }),
  fc.record({
    cmd: fc.constant("subscribe"),
    messageId,
    subscriptions: fc.array(fc.record({ topic, qos }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    cmd: fc.constant("unsubscribe"),
    messageId,
    unsubscriptions: fc.array(topic, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ cmd: fc.constantFrom("puback", "pubrec", "pubrel", "pubcomp"), messageId }),
  fc.record({ cmd: fc.constantFrom("pingreq", "pingresp", "disconnect") }),
);

/** The bytes of a packet, with some of them changed, added or cut off. */
const mutated = (version: 4 | 5) =>
  fc
    .tuple(packets, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }), fc.nat())
    .map(([packet, changes, cut]) => {
      const bytes = generate(packet, { protocolVersion: version });
      for (const [index, byte] of changes) bytes[index % bytes.length] = byte;
      return cut % 4 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
    });

it.each([4, 5] as const)("survives whatever a client of MQTT %s sends", async (version) => {
  const { port, person, caller, telex, log, mqtt } = await startMqtt();
  const alice = await person("Alice");
  await telex.teleprinter.register(await caller(alice), { deviceId: "kitchen", name: "Kitchen" });
  const login = { version, username: "kitchen", password: alice.token };
  const first = generate(connectPacket(login), { protocolVersion: version });
  const hello = fc.oneof(
    { weight: 4, arbitrary: fc.constant(first) },
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([index, byte]) => {
      const bytes = Buffer.from(first);
      bytes[index % bytes.length] = byte;
      return bytes;
    }),
  );
  const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
  const rest = fc.array(fc.oneof({ weight: 5, arbitrary: mutated(version) }, noise), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(hello, rest, async (begin, others) => {
      const { socket, closed } = openRaw(port, null);
      for (const bytes of [begin, ...others]) socket.write(bytes);
      socket.end();
      await closed;
    }),
    { numRuns: 100 },
  );
  const after = await logIn(port, { ...login, clientId: "after" });
  after.send({ cmd: "pingreq" });
  await after.next("pingresp");
  expect(log.lines.filter((line) => line.startsWith("error"))).toEqual([]);
  after.socket.destroy();
  await mqtt.close();
  expect(mqtt.size).toBe(0);
});
