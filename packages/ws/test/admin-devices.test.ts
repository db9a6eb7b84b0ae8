import { operator } from "@telex/core";
import type { Person } from "@telex/conformance/testing";
import type { Client } from "@telex/http/client";
import { expect, it } from "vitest";
import { type Both, startBoth } from "./both.ts";
import { open } from "./harness.ts";

const deviceId = "printer";
const channel = "/external/api/v1/teleprinter/webSocket";
const secret = "for members only";
const note = "a note";

/** A device of Alice that prints the messages of Bob in a room, and Root, whose token has only the scope `admin`. */
async function scene() {
  const running = await startBoth();
  const [alice, bob, root] = [
    await running.user("Alice"),
    await running.user("Bob"),
    await running.user("Root", ["admin"]),
  ];
  const groupId = await running.group([alice, bob]);
  const owner = running.http(alice);
  await owner.teleprinter.register({ deviceId, name: "Printer", room: { groupId } });
  const admin = running.http(root).operator;
  const clientOf = (token: string): Client => running.http({ ...alice, token });
  const said = async () => {
    const { groupMessages } = await owner.messages.history({ groupId, groupType: 1 });
    return groupMessages.map(({ content }) => content).join();
  };
  /** Sends a message to the room, and waits until it is in the queue of the device. */
  const print = async (text: string): Promise<void> => {
    await running.http(bob).messages.send({ groupId, groupType: 1, message: text });
    await waitFor(async () => (await textsOf(owner)).some((printed) => printed.includes(text)));
  };
  const issue = async (life?: number | null) =>
    await admin.tokens.issue({ userId: alice.id, scopes: [`device:${deviceId}`], ...(life !== undefined && { life }) });
  return { ...running, alice, bob, root, groupId, owner, admin, clientOf, said, print, issue };
}

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

const textsOf = async (client: Client): Promise<string[]> =>
  (await client.teleprinter.messages({ deviceId })).messages.map(({ content }) => content);

const contents = (messages: readonly { readonly content: string }[]): string[] =>
  messages.map(({ content }) => content);

const connect = ({ port }: Both, token: string, query: string) =>
  open(`ws://127.0.0.1:${port}${channel}/${token}${query}`);

/** Pairs the device of Alice as an admin, with a code that another device has requested. */
async function pairAsAdmin({ http, alice, admin }: Awaited<ReturnType<typeof scene>>, userId = alice.id) {
  const { pairing } = http({ ...alice, token: "" });
  const { code, secret: key } = await pairing.pair({ deviceId, name: "Mine" });
  await admin.devices.pair({ userId, code });
  return (await pairing.collect({ secret: key })).token ?? "";
}

/** The tokens that an admin can get for a device of another user. */
const tokens = {
  "a token that an admin issues": async (here: Awaited<ReturnType<typeof scene>>) => (await here.issue()).token,
  "a token that an admin pairs": (here: Awaited<ReturnType<typeof scene>>) => pairAsAdmin(here),
};

for (const [name, make] of Object.entries(tokens)) {
  it(`${name} shows nothing of the room in a poll, and leaves it to the device`, async () => {
    const here = await scene();
    const { teleprinter } = here.clientOf(await make(here));
    await here.print(secret);
    await here.owner.teleprinter.send({ deviceId, content: note });
    const asked = await teleprinter.poll({ deviceId, ack: 0 });
    expect(contents(asked)).toEqual([note]);
    expect(await teleprinter.poll({ deviceId, ack: asked[0]?.id })).toEqual([]);
    await here.owner.teleprinter.send({ deviceId, content: "another note" });
    expect(contents(await teleprinter.poll({ deviceId }))).toEqual(["another note"]);
    const left = await here.owner.teleprinter.poll({ deviceId });
    expect(contents(left)).toEqual([expect.stringContaining(secret)]);
  });

  it(`${name} shows nothing of the room in the texts of the device`, async () => {
    const here = await scene();
    const { teleprinter } = here.clientOf(await make(here));
    await here.print(secret);
    await here.owner.teleprinter.sync({ deviceId, content: "said by Alice" });
    await here.owner.teleprinter.send({ deviceId, content: note });
    expect(contents((await teleprinter.messages({ deviceId })).messages)).toEqual([note]);
    expect(await textsOf(here.owner)).toHaveLength(3);
  });

  it.each(["", "&ack=1"])(`${name} shows nothing of the room on a socket%s`, async (ack) => {
    const here = await scene();
    const device = await connect(here, await make(here), `?deviceId=${deviceId}${ack}`);
    await here.print(secret);
    await here.owner.teleprinter.send({ deviceId, content: note });
    expect(await device.next()).toMatchObject({ type: "TeleprinterMessage", data: { content: note } });
  });

  it(`${name} does not watch the devices of the owner`, async () => {
    const here = await scene();
    const watcher = await connect(here, await make(here), "");
    watcher.send({ identifier: 1, command: "heartbeat" });
    expect(await watcher.next()).toMatchObject({ type: "LoginFail" });
  });

  it(`${name} says nothing in the room`, async () => {
    const here = await scene();
    const token = await make(here);
    const { teleprinter } = here.clientOf(token);
    const refused = { status: 403, code: "insufficient_scope" };
    await expect(teleprinter.sync({ deviceId, content: "not from Alice" })).rejects.toMatchObject(refused);
    const device = await connect(here, token, `?deviceId=${deviceId}`);
    device.send({ identifier: 1, command: "sync", content: "not from Alice" });
    expect(await device.next()).toMatchObject({ type: "OperationFailed", identifier: 1 });
    await teleprinter.send({ deviceId, content: "to the device" });
    expect(await here.said()).not.toContain("not from Alice");
    expect((await textsOf(here.owner)).join()).not.toContain("not from Alice");
  });

  it(`${name} shows nothing of a room that the device has printed before, and works for its other texts`, async () => {
    const here = await scene();
    const { teleprinter } = here.clientOf(await make(here));
    await here.print(secret);
    await here.owner.teleprinter.register({ deviceId, name: "Printer", room: null });
    expect(contents(await teleprinter.poll({ deviceId }))).toEqual([]);
    await teleprinter.sync({ deviceId, content: "the paper is out" });
    expect(await textsOf(here.owner)).toContain("the paper is out");
    expect(await textsOf(here.clientOf(await make(here)))).toContain("the paper is out");
  });

  it(`${name} ends with the token of the admin, and so does its socket`, async () => {
    const here = await scene();
    const token = await make(here);
    const device = await connect(here, token, `?deviceId=${deviceId}`);
    device.send({ identifier: 1, command: "heartbeat" });
    expect(await device.next()).toMatchObject({ type: "HeartbeatResult", code: 200 });
    const { tokens: issued } = here.http(here.root).operator;
    await issued.revoke({ token: here.root.token });
    expect(await device.closed).toBe(4401);
    const { teleprinter } = here.clientOf(token);
    await expect(teleprinter.poll({ deviceId })).rejects.toMatchObject({ status: 401 });
    const shown = await here.owner.users.tokens();
    expect(shown.map(({ scopes }) => scopes)).toEqual([["chat"]]);
  });
}

it("a token that an admin issues expires with the token of the admin at the latest", async () => {
  const here = await scene();
  const { telex, alice, bob, root, clientOf, owner } = here;
  const life = 3_600_000;
  const short = await telex.operator.tokens.issue(operator, { userId: root.id, scopes: ["admin"], life });
  const admin = clientOf(short.token).operator;
  const device = { userId: alice.id, scopes: [`device:${deviceId}`] };
  expect(await admin.tokens.issue({ ...device, life: null })).toMatchObject({ expiresAt: short.expiresAt });
  expect(await admin.tokens.issue(device)).toMatchObject({ expiresAt: short.expiresAt });
  const paired = await pairAsAdmin({ ...here, admin });
  await clientOf(paired).teleprinter.heartbeat({ deviceId });
  const shown = await owner.users.tokens();
  expect(shown.find(({ name }) => name === "Printer")).toMatchObject({ expiresAt: short.expiresAt });
  const own = await admin.tokens.issue({ userId: bob.id, scopes: ["profile"], life: 1000 });
  expect(own.expiresAt).not.toBe(short.expiresAt);
});

it("a code that an admin has confirmed gives no token once the token of the admin has ended", async () => {
  const here = await scene();
  const { pairing } = here.http({ ...here.alice, token: "" });
  const { code, secret: key } = await pairing.pair({ deviceId, name: "Mine" });
  await here.admin.devices.pair({ userId: here.alice.id, code });
  await here.admin.tokens.revoke({ token: here.root.token });
  await expect(pairing.collect({ secret: key })).rejects.toMatchObject({ status: 404 });
});

it("a device that its owner pairs prints the room and speaks in it, as does one of the admin's own", async () => {
  const here = await scene();
  const { owner, clientOf, print, said, groupId, admin, root, http } = here;
  const { code, secret: key } = await owner.pairing.pair({ deviceId, name: "Printer" });
  await owner.pairing.pairing({ code });
  await owner.pairing.confirmPairing({ code });
  const { teleprinter } = clientOf((await owner.pairing.collect({ secret: key })).token ?? "");
  await print(secret);
  expect(contents(await teleprinter.poll({ deviceId }))).toEqual([expect.stringContaining(secret)]);
  await teleprinter.sync({ deviceId, content: "by Alice" });
  expect(await said()).toContain("by Alice");

  await admin.groups.amendMembers({ groupId, add: [root.id] });
  const own: Person = { ...root, token: (await admin.tokens.issue({ userId: root.id, scopes: ["chat"] })).token };
  await http(own).teleprinter.register({ deviceId: "root", name: "Root's", room: { groupId } });
  const token = (await admin.tokens.issue({ userId: root.id, scopes: ["device:root"] })).token;
  await clientOf(token).teleprinter.sync({ deviceId: "root", content: "by Root" });
  expect(await said()).toContain("by Root");
});
