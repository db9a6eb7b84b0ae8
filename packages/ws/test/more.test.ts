import { describe, expect, it } from "vitest";
import { messageOf, open, startTelex, textOf, textTo } from "./harness.ts";

async function scene() {
  const running = await startTelex();
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const groupId = await running.group([alice, bob]);
  /** Announces in the room that a link of Alice has reset the sign-in of a user. */
  const announce = () => running.telex.announce({ kind: "recovered", groupId, userId: alice.id });
  const connect = (query = "") => open(running.url(bob.token, query));
  return { ...running, alice, bob, groupId, announce, connect };
}

describe("a notice", () => {
  it("is marked for connections with more=1 only, live and replayed", async () => {
    const { announce, connect } = await scene();
    const [plain, more] = [await connect(), await connect("?more=1")];
    await announce();
    const first = messageOf(await plain.next());
    expect(first).not.toHaveProperty("notice");
    expect(messageOf(await more.next())).toEqual({ ...first, notice: { kind: "recovered" } });
    await announce();
    const since = first.messageId;
    expect(messageOf(await (await connect(`?since=${since}`)).next())).not.toHaveProperty("notice");
    expect(messageOf(await (await connect(`?since=${since}&more=1`)).next()).notice).toEqual({ kind: "recovered" });
  });

  it("is known by its mark, not by its text: a member who writes the same has written a message", async () => {
    const { telex, announce, connect, alice, groupId, url } = await scene();
    const more = await connect("?more=1");
    await announce();
    const text = textOf(await more.next());
    const sender = await open(url(alice.token));
    sender.send(textTo(groupId, text));
    await sender.next();
    const written = messageOf(await more.next());
    expect(textOf({ type: "GroupMessage", code: 200, data: written })).toBe(text);
    expect(written).not.toHaveProperty("notice");
    const caller = await telex.authenticate(alice.token);
    const recalled = await telex.messages.recall(caller, { groupId, messageId: written.messageId });
    expect(recalled.content).toContain("消息已撤回");
  });

  it("leaves the room as read as it was", async () => {
    const { telex, announce, bob, alice, groupId } = await scene();
    const [reader, admin] = [await telex.authenticate(bob.token), await telex.authenticate(alice.token)];
    await telex.messages.send(reader, { groupId, groupType: 1, message: "Hello." });
    await announce();
    const unreadOf = async (caller: typeof reader) => (await telex.rooms.find(caller, { groupId })).unread;
    expect([await unreadOf(reader), await unreadOf(admin)]).toEqual([0, 1]);
  });
});
