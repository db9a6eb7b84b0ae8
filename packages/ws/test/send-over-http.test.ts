import { describe, expect, it } from "vitest";
import { startBoth } from "./both.ts";
import { open, parseFrame, textOf, textTo } from "./harness.ts";

async function scene() {
  const running = await startBoth();
  const [alice, bob, carol] = [await running.user("Alice"), await running.user("Bob"), await running.user("Carol")];
  const groupId = await running.group([alice, bob]);
  return { ...running, alice, bob, carol, groupId, say: running.http(alice).messages.send };
}

/** The responses for a foreign and a missing room, without the fields that name the request. */
async function answerOf(url: string, token: string, body: object) {
  const response = await fetch(`${url}/external/api/v1/im/sendGroupMessage`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}

describe("a message that is sent over HTTP", () => {
  it("is durable when it is answered, and mirrored to the others", async () => {
    const { say, url, bob, alice, groupId, http } = await scene();
    const listener = await open(url(bob.token));
    const sent = await say({ groupId, groupType: 1, message: [{ type: "text", data: { text: "hello" } }] });
    const frame = await listener.next();
    expect(frame).toMatchObject({ type: "GroupMessage", data: { groupId, ...sent, userId: String(alice.id) } });
    const { groupMessages } = await http(bob).messages.history({ groupId, groupType: 1 });
    expect(groupMessages).toMatchObject([sent]);
  });

  it("reaches the sender's own sockets with echo=1 only", async () => {
    const { say, url, alice, bob, groupId } = await scene();
    const [plain, echo] = [await open(url(alice.token)), await open(url(alice.token, "?echo=1"))];
    await say({ groupId, groupType: 1, message: "mine" });
    expect(textOf(await echo.next())).toBe("mine");
    const other = await open(url(bob.token));
    other.send(textTo(groupId, "theirs"));
    expect(textOf(await plain.next())).toBe("theirs");
  });

  it("shares the nonces of the socket", async () => {
    const { say, url, alice, groupId, http } = await scene();
    const socket = await open(url(alice.token));
    socket.send({ ...textTo(groupId, "once"), nonce: "n" });
    const result = await socket.next();
    const again = await say({ groupId, groupType: 1, message: [{ type: "text", data: { text: "once" } }], nonce: "n" });
    expect(again.createTime).toBe(result.data);
    await expect(say({ groupId, groupType: 1, message: "other", nonce: "n" })).rejects.toMatchObject({
      status: 409,
      code: "nonce_conflict",
    });
    expect((await http(alice).messages.history({ groupId, groupType: 1 })).groupMessages).toHaveLength(1);
  });

  it("to a foreign room is answered as one to a missing room, over HTTP and the socket", async () => {
    const { httpUrl, url, carol, groupId } = await scene();
    const message = { groupType: 1, message: "hi" };
    const foreign = await answerOf(httpUrl, carol.token, { ...message, groupId });
    expect(foreign).toEqual(await answerOf(httpUrl, carol.token, { ...message, groupId: groupId + 1 }));
    expect(foreign.status).toBe(404);
    expect(JSON.parse(foreign.body)).toMatchObject({ data: { error: "group_not_found" } });
    const socket = await open(url(carol.token));
    const frames: unknown[] = [];
    for (const id of [groupId, groupId + 1]) {
      socket.send(textTo(id, "hi"));
      frames.push(parseFrame(await socket.nextText()));
    }
    expect(frames[0]).toMatchObject({ type: "OperationFailed", code: 500 });
    expect(frames[0]).toEqual(frames[1]);
  });

  it("fails as the socket does: unknown file, too long a text, a bot that is offline", async () => {
    const { say, alice, http, group, groupId } = await scene();
    const file = { type: "file", data: { file_id: "0".repeat(32) } } as const;
    await expect(say({ groupId, groupType: 1, message: [file] })).rejects.toMatchObject({
      status: 404,
      code: "file_not_found",
    });
    await expect(say({ groupId, groupType: 1, message: "x".repeat(10_001) })).rejects.toMatchObject({ status: 400 });
    const outside = await group([alice], 4);
    await expect(http(alice).messages.send({ groupId: outside, groupType: 4, message: "hi" })).rejects.toMatchObject({
      status: 503,
      code: "bot_offline",
    });
  });
});
