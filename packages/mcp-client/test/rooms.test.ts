import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { type Move, resultsOf } from "./scene.ts";
import { openSocket, openWire } from "./wire.ts";

const moves = [{ tool: "files_remove", args: { path: "a" } }, "It is over."];

const withTools = z.looseObject({
  content: z.string(),
  tools: z.object({
    userId: z.string(),
    calls: z.array(z.looseObject({ callId: z.string(), state: z.string(), result: z.string() })).length(1),
  }),
});

/** Carol and Bob in a room with the model Echo, which may call the tools there. */
async function openRoom(rooms: readonly string[] = ["m"], own: readonly Move[] = moves) {
  const kit = await openWire(own, { rooms: [...rooms] });
  const { users } = kit.telex.operator;
  const bob = await kit.person("Bob");
  const echo = await users.add(operator, { nickname: "Echo", ai: "m" });
  const groupId = await kit.room([kit.carol, bob, { id: echo.id, token: "", tokenId: 0 }]);
  const open = (token: string, query = "?more=1") => openSocket(kit.url, `im/imWebSocket/${token}${query}`);
  const [carols, bobs] = [await open(kit.token), await open(bob.token)];
  const mention = (): void =>
    carols.send({ command: "sendGroupMessage", groupId, groupType: 1, message: "@Echo remove it" });
  return { ...kit, bob, echoId: echo.id, open, bobs, mention };
}

it("a model that is mentioned asks the person in the room, and its reply carries the call with its result", async () => {
  const { bobs, mention, carol, echoId, call, lines, requests } = await openRoom();
  for (const [index, allow] of [true, false].entries()) {
    mention();
    const question = await bobs.came("GroupMessage", index * 3 + 2);
    const { content, tools } = withTools.parse(question.data);
    expect(question.data).toMatchObject({ userId: String(echoId), nickname: "Echo" });
    expect(content).toContain('files.remove {\\"path\\":\\"a\\"} yes/no?');
    expect(tools).toMatchObject({ userId: String(carol.id), calls: [{ state: "asked", result: "" }] });
    const [asked] = tools.calls;
    const answered = await call("/external/api/v1/sseStream/tool", { callId: asked?.callId, allow });
    expect(answered.status).toBe(200);
    const reply = withTools.parse((await bobs.came("GroupMessage", index * 3 + 3)).data);
    expect(reply.content).toContain("It is over.");
    expect(reply.tools.calls).toMatchObject([
      { callId: asked?.callId, server: "files", tool: "remove", state: allow ? "done" : "refused" },
    ]);
    expect(reply.tools.calls[0]?.result).toMatch(allow ? /^removed$/ : /did not allow/);
    expect(resultsOf(requests.at(-1)?.messages ?? [])).toEqual([reply.tools.calls[0]?.result]);
  }
  expect(lines()).toEqual(['remove {"path":"a"}']);
});

it("only the member who mentioned the model can answer, and other members see that", async () => {
  const { bobs, mention, telex, bob, carol, caller, lines } = await openRoom();
  mention();
  const { tools } = withTools.parse((await bobs.came("GroupMessage", 2)).data);
  const answer = { callId: tools.calls[0]?.callId ?? "", allow: true };
  await expect(telex.ai.tool(await caller(bob), answer)).rejects.toMatchObject({ code: "not_found" });
  expect(lines()).toEqual([]);
  await telex.ai.tool(await caller(carol), answer);
  expect(withTools.parse((await bobs.came("GroupMessage", 3)).data).tools.calls).toMatchObject([{ state: "done" }]);
});

it("a socket without more=1 gets the same messages without the calls", async () => {
  const { open, bob, bobs, mention, telex, carol, caller } = await openRoom();
  const plain = await open(bob.token, "");
  mention();
  const { tools } = withTools.parse((await bobs.came("GroupMessage", 2)).data);
  await telex.ai.tool(await caller(carol), { callId: tools.calls[0]?.callId ?? "", allow: false });
  const { data } = await plain.came("GroupMessage", 3);
  expect(data).toHaveProperty("content");
  expect(data).not.toHaveProperty("tools");
});

it("a model that the operator has not listed for rooms is offered no tool there", async () => {
  const { bobs, mention, requests, lines } = await openRoom([], ["Hello."]);
  mention();
  await bobs.came("GroupMessage", 2);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.tools).toBeUndefined();
  expect(lines()).toEqual([]);
});
