import { createManualClock } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { startBoth } from "./both.ts";
import { type Client, type Frame, messageOf, open, type StartOptions, textOf, textTo } from "./harness.ts";

const gone = '[{"text":{"text":"[消息已撤回]"}}]';

async function scene(options: StartOptions = {}) {
  const running = await startBoth(options);
  const [alice, bob, carol] = [await running.user("Alice"), await running.user("Bob"), await running.user("Carol")];
  const groupId = await running.group([alice, bob]);
  const { messages } = running.http(alice);
  const say = async (message: string) => (await messages.send({ groupId, groupType: 1, message })).messageId;
  return { ...running, alice, bob, carol, groupId, say, messages };
}

/** The frames of a connection before a message with the text `last`. */
async function framesBeforeLast(client: Client): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (;;) {
    const frame = await client.next();
    if (frame.type === "GroupMessage" && textOf(frame) === "last") return frames;
    frames.push(frame);
  }
}

describe("a recall", () => {
  it("empties the message, keeps its place, times and sender, and is told to the others", async () => {
    const { messages, say, groupId, url, alice, bob, http } = await scene();
    const [bobs, plain, echo] = [
      await open(url(bob.token)),
      await open(url(alice.token)),
      await open(url(alice.token, "?echo=1")),
    ];
    const messageId = await say("秘密 secret");
    const before = messageOf(await bobs.next());
    expect(textOf(await echo.next())).toBe("秘密 secret");
    const recalled = await messages.recall({ groupId, messageId });
    expect(recalled).toEqual({ ...before, type: 0, content: gone, pinyin: recalled.pinyin });
    expect(recalled.pinyin).toBe('[{"text":{"text":"[xiao1 xi1 yi3 che4 hui2]"}}]');
    const frame = {
      type: "GroupMessageRecalled",
      code: 200,
      data: { groupId, groupType: 1, messageId, operatorId: String(alice.id) },
    };
    expect(await bobs.next()).toEqual(frame);
    expect(await echo.next()).toEqual(frame);
    expect((await http(bob).messages.history({ groupId, groupType: 1 })).groupMessages).toEqual([recalled]);
    bobs.send(textTo(groupId, "last"));
    expect(await framesBeforeLast(plain)).toEqual([]);
  });

  it("is possible for two minutes, a second time changes nothing", async () => {
    const clock = createManualClock();
    const { messages, say, groupId, url, bob } = await scene({ clock });
    const [early, late] = [await say("early"), await say("late")];
    await clock.advance(120_000);
    const recalled = await messages.recall({ groupId, messageId: early });
    await clock.advance(1);
    await expect(messages.recall({ groupId, messageId: late })).rejects.toMatchObject({
      status: 403,
      code: "too_late",
    });
    const bobs = await open(url(bob.token));
    expect(await messages.recall({ groupId, messageId: early })).toEqual(recalled);
    await say("last");
    expect(await framesBeforeLast(bobs)).toEqual([]);
  });

  it("is the sender's, in a room of theirs", async () => {
    const { messages, say, groupId, http, bob, carol, user, telex } = await scene();
    const messageId = await say("mine");
    const byBob = http(bob).messages.recall({ groupId, messageId });
    await expect(byBob).rejects.toMatchObject({ status: 403, code: "not_owner" });
    for (const room of [groupId, groupId + 1]) {
      const byCarol = http(carol).messages.recall({ groupId: room, messageId });
      await expect(byCarol).rejects.toMatchObject({ status: 404, code: "group_not_found" });
    }
    await expect(messages.recall({ groupId, messageId: messageId + 1 })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
    const admin = await user("Admin");
    const caller = {
      kind: "token",
      userId: admin.id,
      scopes: ["chat", "admin"],
      tokenId: null,
      expiresAt: null,
    } as const;
    await expect(telex.messages.recall(caller, { groupId, messageId })).rejects.toMatchObject({
      code: "group_not_found",
    });
    const member = { ...caller, userId: bob.id };
    expect(await telex.messages.recall(member, { groupId, messageId })).toMatchObject({ content: gone });
  });

  it("takes the attachments away, and lets go of files that no other message uses", async () => {
    const clock = createManualClock();
    const { messages, http, alice, groupId, telex, httpUrl } = await scene({ clock });
    const upload = async (content: string) =>
      (await http(alice).bucket.upload({ file: new Blob([content], { type: "text/plain" }) })).file_id;
    const [own, shared] = [await upload("own"), await upload("shared")];
    const send = (...ids: string[]) =>
      messages.send({
        groupId,
        groupType: 1,
        message: ids.map((file_id) => ({ type: "file" as const, data: { file_id, name: "note.txt" } })),
      });
    const { messageId } = await send(own, shared);
    const other = await send(shared);
    const files = await messages.files({ groupId, messageId });
    expect(files).toMatchObject([
      { name: "note.txt", size: 3 },
      { name: "note.txt", size: 6 },
    ]);
    expect(await (await fetch(`${httpUrl}${files[0]?.url}`)).text()).toBe("own");
    await messages.recall({ groupId, messageId });
    expect(await messages.files({ groupId, messageId })).toEqual([]);
    expect((await fetch(`${httpUrl}${files[0]?.url}`)).status).toBe(404);
    await clock.advance(25 * 3_600_000);
    await telex.operator.files.sweep({ kind: "operator" }, {});
    await expect(send(own)).rejects.toMatchObject({ code: "file_not_found" });
    const [left] = await messages.files({ groupId, messageId: other.messageId });
    expect(await (await fetch(`${httpUrl}${left?.url}`)).text()).toBe("shared");
    await expect(messages.files({ groupId, messageId: 999 })).rejects.toMatchObject({ status: 404, code: "not_found" });
  });

  it("of a message that arrives meanwhile leaves nobody with its content", async () => {
    const { telex, alice, bob, groupId, url, messages } = await scene();
    const bobs = await open(url(bob.token));
    const sender = await open(url(alice.token));
    const first = await telex.messages.send(
      { kind: "token", userId: alice.id, scopes: ["chat"], tokenId: null, expiresAt: null },
      { groupId, groupType: 1, message: "first" },
    );
    // Ids are assigned in order here, so the test can recall the next one while it is being stored.
    sender.send(textTo(groupId, "secret"));
    const recalled = Promise.allSettled(
      Array.from({ length: 20 }, () => messages.recall({ groupId, messageId: first.messageId + 1 })),
    );
    await sender.next();
    const outcomes = await recalled;
    await messages.recall({ groupId, messageId: first.messageId + 1 });
    expect(outcomes).toHaveLength(20);
    await messages.send({ groupId, groupType: 1, message: "last" });
    const frames = await framesBeforeLast(bobs);
    const told = frames.filter((frame) => messageOf(frame).messageId === first.messageId + 1);
    expect(told.map(({ type }) => type).toSorted()).toEqual(["GroupMessage", "GroupMessageRecalled"]);
    // In either order, the last frame contains none of the content.
    const last = told.at(-1);
    if (last?.type === "GroupMessage") expect(messageOf(last).content).toBe(gone);
  });
});

describe("a connection with since after a recall", () => {
  it("gets the emptied form of what it missed, and the recall of what it knew", async () => {
    const { messages, say, groupId, url, bob, alice } = await scene();
    const [known, since, missed] = [await say("known"), await say("since"), await say("missed")];
    for (const messageId of [missed, known]) await messages.recall({ groupId, messageId });
    await say("last");
    const recall = { groupId, groupType: 1, messageId: known, operatorId: String(alice.id) };
    const frames = await framesBeforeLast(await open(url(bob.token, `?since=${since}`)));
    expect(frames).toMatchObject([
      { type: "GroupMessageRecalled", data: recall },
      { type: "GroupMessage", data: { messageId: missed, content: gone } },
    ]);
    const again = await open(url(alice.token, `?since=${since}&echo=1`));
    expect((await framesBeforeLast(again))[0]).toMatchObject({ type: "GroupMessageRecalled" });
  });

  it("gets a gap from 0 where more was recalled than is replayed", async () => {
    const { messages, say, groupId, url, bob } = await scene({ limits: { replayMessages: 2 } });
    const ids: number[] = [];
    for (const text of ["1", "2", "3", "4"]) ids.push(await say(text));
    for (const messageId of ids.slice(0, 3)) await messages.recall({ groupId, messageId });
    await say("last");
    const [stale, ...others] = await framesBeforeLast(await open(url(bob.token, `?since=${ids[3]}`)));
    expect(stale).toEqual({ type: "Gap", code: 200, data: { groupId, groupType: 1, since: 0, until: ids[3] } });
    expect(others).toEqual([]);
  });
});
