import { describe, expect, it } from "vitest";
import { type Gateway, operator } from "../src/index.ts";
import { createMemoryNetwork, ticks } from "@telex/conformance/testing";
import { createConnection, createKit } from "./kit.ts";

const emptied = '[{"text":{"text":"[消息已撤回]"}}]';

async function scene(network = createMemoryNetwork(), gateway: Gateway = network.gateway) {
  const kit = await createKit({ gateways: [gateway] });
  const { telex, alice, bob } = kit;
  const { groupId } = await telex.operator.groups.add(operator, {
    groupType: 0,
    name: "Out",
    ext: "500",
    members: [1, 2],
  });
  const { connection, events } = createConnection(bob);
  await telex.listen(connection, { echo: false, since: null }).ready;
  return {
    ...kit,
    network,
    groupId,
    events,
    send: (message: string) => telex.messages.send(alice, { groupId, groupType: 0, message }),
    list: async () => (await telex.messages.history(alice, { groupId, groupType: 0 })).groupMessages.toReversed(),
  };
}

describe("a recall in the network", () => {
  it("empties the message and tells the members, once", async () => {
    const { network, groupId, events, list } = await scene();
    const receipt = await network.say({ messageId: "x-1", segments: [{ type: "text", data: { text: "oops" } }] });
    const messageId = "messageId" in receipt ? receipt.messageId : 0;
    expect(await network.unsay({ messageId: "x-1", operator: "1001" })).toEqual({
      outcome: "recalled",
      groupId,
      messageId,
    });
    expect(await network.unsay({ messageId: "x-1" })).toEqual({ outcome: "known", groupId, messageId });
    await ticks();
    expect(events.map(({ kind }) => kind)).toEqual(["message", "message_recalled"]);
    expect(events[1]?.data).toEqual({ groupId, groupType: 0, messageId, operatorId: "1001" });
    expect(await list()).toMatchObject([{ id: String(messageId), content: emptied, type: 0, userId: "1001" }]);
  });

  it("takes effect after what was said before it, from any sender", async () => {
    const { network, send, list } = await scene();
    const said = network.say({ messageId: "x-1" });
    const recalled = network.unsay({ messageId: "x-1" });
    await said;
    expect(await recalled).toMatchObject({ outcome: "recalled" });
    await send("mine");
    expect(
      await network.unsay({ messageId: network.sent[0]?.messageId ?? "", operator: "admin-of-the-group" }),
    ).toMatchObject({
      outcome: "recalled",
    });
    expect((await list()).map(({ content }) => content)).toEqual([emptied, emptied]);
    expect(network.recalled).toEqual([]);
  });

  it("takes effect also when it comes before the network's answer to the sender", async () => {
    const network = createMemoryNetwork();
    let receipt: unknown = null;
    const { events, send, list } = await scene(network, {
      ...network.gateway,
      async send(message) {
        const outcome = await network.gateway.send(message);
        const messageId = network.sent.at(-1)?.messageId ?? "";
        void network.unsay({ messageId }).then((got) => (receipt = got));
        await ticks();
        return outcome;
      },
    });
    await send("oops");
    await ticks();
    expect(receipt).toMatchObject({ outcome: "recalled" });
    expect((await list()).map(({ content }) => content)).toEqual([emptied]);
    expect(events.map(({ kind }) => kind)).toEqual(["message", "message_recalled"]);
  });

  it("of something else changes nothing", async () => {
    const { network, list } = await scene();
    await network.say({ messageId: "x-1" });
    const other = { kind: "group", ext: "501" } as const;
    expect(await network.unsay({ messageId: "x-2" })).toEqual({ outcome: "unknown_message" });
    expect(await network.unsay({ messageId: "x-1", room: other })).toEqual({ outcome: "unknown_room" });
    await expect(network.unsay({ messageId: "" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(network.unsay({ messageId: "x-1", account: "nobody" })).rejects.toMatchObject({ code: "not_found" });
    expect((await list())[0]?.content).not.toBe(emptied);
  });
});

describe("a recall by the sender", () => {
  it("goes to the network, and its echo changes nothing", async () => {
    const { telex, alice, bob, network, groupId, send, list } = await scene();
    const { messageId } = await send("oops");
    await expect(telex.messages.recall(bob, { groupId, messageId })).rejects.toMatchObject({ code: "not_owner" });
    expect(network.recalled).toEqual([]);
    for (let count = 0; count < 2; count += 1) await telex.messages.recall(alice, { groupId, messageId });
    await ticks();
    const room = { kind: "group", ext: "500" };
    expect(network.recalled).toEqual([{ account: "bot-1", room, messageIds: ["m-1"] }]);
    expect(await network.unsay({ messageId: "m-1" })).toMatchObject({ outcome: "known" });
    expect((await list())[0]?.content).toBe(emptied);
  });

  it("goes to the account that has sent it, with every id of its parts", async () => {
    const network = createMemoryNetwork();
    const { telex, alice, groupId, send } = await scene(network, {
      ...network.gateway,
      async send(message) {
        const outcome = await network.gateway.send(message);
        return outcome.outcome === "delivered" ? { ...outcome, otherIds: ["file-1"] } : outcome;
      },
    });
    const { messageId } = await send("text and file");
    await network.say({ messageId: "file-echo", otherIds: ["file-1"], isOwn: true });
    await telex.messages.recall(alice, { groupId, messageId });
    await ticks();
    expect(network.recalled.map(({ messageIds }) => messageIds.toSorted())).toEqual([["file-1", "file-echo", "m-1"]]);
  });

  it("of a message whose id the network has not told is logged", async () => {
    const network = createMemoryNetwork();
    const { telex, alice, groupId, send, lines } = await scene(network, {
      ...network.gateway,
      async send(message) {
        await network.gateway.send(message);
        return { outcome: "delivered", messageId: null };
      },
    });
    await telex.messages.recall(alice, { groupId, messageId: (await send("oops")).messageId });
    await ticks();
    expect(lines.filter((line) => line.includes("message_unknown"))).toHaveLength(1);
  });

  it("stays here if the network does not do it, and is logged", async () => {
    const { telex, alice, network, groupId, send, list, lines } = await scene();
    const { messageId } = await send("oops");
    network.mood = "refuse";
    await telex.messages.recall(alice, { groupId, messageId });
    await ticks();
    expect((await list())[0]?.content).toBe(emptied);
    expect(lines.filter((line) => line.includes("gateway.recall_failed"))).toHaveLength(1);
  });
});
