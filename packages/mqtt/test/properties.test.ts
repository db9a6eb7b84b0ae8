import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { logIn, publish, subscribe, tryLogin, withDevice } from "./harness.ts";

const to = "telex/kitchen/to";
const send = "telex/kitchen/send";

async function withOwner() {
  const clock = createManualClock();
  const running = await withDevice({ clock });
  const owner = await logIn(running.port, { username: "user", password: running.alice.token, clientId: "owner" });
  const texts = async () =>
    (await running.telex.teleprinter.messages(running.caller, { deviceId: "kitchen" })).messages;
  const schedules = () => running.telex.teleprinter.schedules(running.caller, { deviceId: "kitchen" });
  return {
    ...running,
    clock,
    texts,
    schedules,
    /** The code of the response to a text with these properties. */
    write: (content: string, userProperties: Record<string, string>, rest: object = {}) =>
      publish(owner, send, content, { properties: { userProperties }, ...rest }),
    expire: (content: string, messageExpiryInterval: number) =>
      publish(owner, send, content, { properties: { messageExpiryInterval } }),
    /** A device that gets its texts. */
    listen: async (login: object = {}) => {
      const client = await logIn(running.port, { ...running.login, ...login });
      await subscribe(client, to);
      return client;
    },
  };
}

it("passes on title, priority and life, with the remaining seconds", async () => {
  const { write, listen, texts, clock } = await withOwner();
  expect(await write("Milk", { title: "Shopping", priority: "5", life: "60" })).toBe(0);
  await clock.advance(20_500);
  const { payload, properties } = await (await listen()).next("publish");
  const [text] = await texts();
  expect(text).toMatchObject({ title: "Shopping", priority: 5, life: 40 });
  expect([payload.toString(), { ...properties, userProperties: { ...properties?.userProperties } }]).toEqual([
    "Milk",
    {
      messageExpiryInterval: 40,
      userProperties: { id: String(text?.id), createdAt: text?.createdAt, title: "Shopping", priority: "5" },
    },
  ]);
});

it("takes the Message Expiry Interval of MQTT 5 for a life, at most a year", async () => {
  const { expire, texts } = await withOwner();
  expect([await expire("short", 60), await expire("long", 0xff_ff_ff_ff), await expire("none", 0)]).toEqual([
    0, 0, 0x99,
  ]);
  expect((await texts()).map(({ content, life }) => [content, life])).toEqual([
    ["long", 31_536_000],
    ["short", 60],
  ]);
});

it("refuses properties that a text cannot have", async () => {
  const { write, texts } = await withOwner();
  const wrong = [
    { title: "" },
    { priority: "6" },
    { priority: "high" },
    { life: "0" },
    { at: "tomorrow" },
    { nonce: "" },
  ];
  for (const properties of wrong) expect(await write("x", properties)).toBe(0x99);
  expect(await texts()).toEqual([]);
});

it("sends a text with a time when it is due, and counts a repeat of it once", async () => {
  const { write, schedules, listen, clock } = await withOwner();
  const at = String(clock.now() + 60_000);
  expect(await write("later", { at, title: "T" }, { messageId: 7 })).toBe(0);
  expect(await write("later", { at, title: "T" }, { messageId: 7, dup: true })).toBe(0);
  expect(await write("another", { at }, { messageId: 7 })).toBe(0);
  const scheduled = await schedules();
  expect(scheduled.map(({ content }) => content).toSorted()).toEqual(["another", "later"]);
  expect(scheduled.map(({ dueAt }) => Date.parse(dueAt ?? ""))).toEqual([Number(at), Number(at)]);
  const device = await listen();
  await clock.advance(61_000);
  const contents = [await device.next("publish"), await device.next("publish")].map(({ payload }) =>
    payload.toString(),
  );
  expect(contents.toSorted()).toEqual(["another", "later"]);
  expect(await write("later", { at, title: "T" }, { messageId: 7, dup: true })).toBe(0);
  await ticks();
  expect(device.waiting()).toBe(0);
});

it("uses the nonce of a sent text", async () => {
  const { write, texts } = await withOwner();
  const codes = [await write("a", { nonce: "n" }), await write("a", { nonce: "n" }), await write("b", { nonce: "n" })];
  expect([codes, (await texts()).map(({ content }) => content)]).toEqual([[0, 0, 0x83], ["a"]]);
});

it("never publishes a text that expires before its turn, and does not let it block others", async () => {
  const { write, listen, texts, clock } = await withOwner();
  for (const content of ["first", "stale", "last"])
    await write(content, content === "stale" ? { life: "30" } : { title: "T" });
  const device = await listen({ properties: { receiveMaximum: 1 } });
  const first = await device.next("publish");
  await clock.advance(31_000);
  device.send({ cmd: "puback", messageId: first.messageId ?? 0 });
  const last = await device.next("publish");
  expect(last.payload.toString()).toBe("last");
  device.send({ cmd: "puback", messageId: last.messageId ?? 0 });
  await until(async () => (await texts()).every(({ content, delivered }) => delivered === 1 || content === "stale"));
  expect((await texts()).find(({ content }) => content === "stale")?.state).toBe("expired");
});

it("counts a text that expires during its delivery if the device acknowledges it", async () => {
  const { write, listen, texts, clock } = await withOwner();
  await write("quick", { life: "5" });
  const device = await listen();
  const { messageId = 0 } = await device.next("publish");
  await clock.advance(6000);
  device.send({ cmd: "puback", messageId });
  device.send({ cmd: "pingreq" });
  await device.next("pingresp");
  expect(await texts()).toMatchObject([{ content: "quick", delivered: 1, state: "delivered" }]);
});

it("publishes urgent texts first to a device that asks for that, which acknowledges single ones", async () => {
  const { write, listen, texts } = await withOwner();
  for (const priority of ["1", "3", "5"]) await write(`priority ${priority}`, { priority });
  const device = await listen({ properties: { userProperties: { order: "priority" } } });
  const seen = [await device.next("publish"), await device.next("publish")];
  expect(seen.map(({ payload }) => payload.toString())).toEqual(["priority 5", "priority 3"]);
  device.send({ cmd: "puback", messageId: seen[0]?.messageId ?? 0 });
  expect((await device.next("publish")).payload.toString()).toBe("priority 1");
  expect((await texts()).filter(({ delivered }) => delivered === 1).map(({ content }) => content)).toEqual([
    "priority 5",
  ]);
});

it("refuses an unknown order, and ignores other user properties of CONNECT", async () => {
  const { port, login } = await withDevice();
  const codeOf = async (userProperties: Record<string, string>) =>
    (await tryLogin(port, { ...login, properties: { userProperties } })).answer.reasonCode;
  expect([await codeOf({ order: "size" }), await codeOf({ region: "north" })]).toEqual([0x82, 0]);
});
