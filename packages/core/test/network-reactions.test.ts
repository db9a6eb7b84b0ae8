import { expect, it } from "vitest";
import { operator } from "../src/index.ts";
import { createMemoryNetwork, ticks } from "@telex/conformance/testing";
import { createConnection, createKit } from "./kit.ts";

async function scene() {
  const network = createMemoryNetwork();
  const kit = await createKit({ gateways: [network.gateway] });
  const { telex, alice, bob } = kit;
  const given = { groupType: 0, name: "Out", ext: "500", members: [1, 2] } as const;
  const { groupId } = await telex.operator.groups.add(operator, { ...given, members: [...given.members] });
  const { connection, events } = createConnection(bob);
  await telex.listen(connection, { echo: false, more: true, since: null }).ready;
  const place = { groupId, groupType: 0, more: 1 } as const;
  const list = async () => (await telex.messages.history(alice, place)).groupMessages.toReversed();
  const shown = async () => (await list())[0]?.reactions ?? [];
  return { ...kit, network, groupId, events, shown };
}

const person = (userId: string, nickname = userId) => ({ userId, nickname, external: true });

it("a reaction in the network is shown with the message, and told to the members, once", async () => {
  const { network, groupId, events, shown } = await scene();
  await network.say({ messageId: "x-1", sender: { ext: "1001", name: "Wang" } });
  const feel = (operatorId: string, isRemoval = false) =>
    network.feel({ messageId: "x-1", operator: operatorId, isRemoval });
  expect(await feel("1001")).toMatchObject({ outcome: "reacted", groupId });
  expect(await feel("1001")).toMatchObject({ outcome: "known", groupId });
  await Promise.all([feel("1"), feel("1002"), network.feel({ messageId: "x-1", emoji: "❤️" })]);
  const [up, heart] = await shown();
  expect(up).toEqual({ emoji: "👍", count: 3, users: [person("1001", "Wang"), person("1"), person("1002")] });
  expect(heart).toMatchObject({ emoji: "❤️", count: 1 });
  await feel("1001", true);
  expect(await feel("1001", true)).toMatchObject({ outcome: "known" });
  await ticks();
  expect(events.map(({ kind }) => kind)).toEqual(["message", ...Array.from({ length: 5 }, () => "message_reaction")]);
  expect(events.at(-1)).toMatchObject({ data: { groupId, reactions: [{ emoji: "👍", count: 2 }, heart] } });
});

it("a reaction of a person of the network is not that of the user with the same number", async () => {
  const { telex, network, groupId, shown } = await scene();
  const said = await network.say({ messageId: "x-1" });
  if (!("messageId" in said)) throw new Error(said.outcome);
  await network.feel({ messageId: "x-1", operator: "1" });
  const users: [number, string][] = [[1, "Alice"]];
  await telex.amendMessage({
    userId: 1,
    groupId,
    messageId: said.messageId,
    decide: () => ({
      segments: null,
      extras: { editedAt: 0, reactions: [{ emoji: "👍", users, people: [["1", "W"]] }] },
    }),
  });
  await network.feel({ messageId: "x-1", operator: "1", isRemoval: true });
  expect(await shown()).toEqual([{ emoji: "👍", count: 1, users: [{ userId: "1", nickname: "Alice" }] }]);
});

it("a reaction to a message or in a room that is not there, or with no emoji, changes nothing", async () => {
  const { network, shown } = await scene();
  await network.say({ messageId: "x-1" });
  expect(await network.feel({ messageId: "x-2" })).toEqual({ outcome: "unknown_message" });
  expect(await network.feel({ messageId: "x-1", room: { kind: "group", ext: "501" } })).toEqual({
    outcome: "unknown_room",
  });
  for (const emoji of ["", "a", "👍👍", "❤"])
    await expect(network.feel({ messageId: "x-1", emoji })).rejects.toMatchObject({ code: "invalid_request" });
  const faces = Array.from({ length: 21 }, (_, at) => String.fromCodePoint(0x1f600 + at));
  for (const emoji of faces.slice(0, 20)) await network.feel({ messageId: "x-1", emoji });
  await expect(network.feel({ messageId: "x-1", emoji: faces[20] ?? "" })).rejects.toMatchObject({
    code: "limit_reached",
  });
  expect(await shown()).toHaveLength(20);
});
