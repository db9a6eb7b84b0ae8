import { echoModel, type Plugin } from "@telex/core";
import { expect, it } from "vitest";
import { type Client, open, startTelex } from "./harness.ts";

const path = "/external/api/v1/sseStream/webSocket";
const noFile = { file_id: "0".repeat(32), name: "a.txt" };
const long: Plugin = { name: "long", models: new Map([["long", { ...echoModel, contextTokens: 200_000 }]]) };

async function stage() {
  const running = await startTelex({ plugins: [long], locale: "en" });
  const connect = async (nickname: string) => {
    const { token } = await running.user(nickname);
    return { client: await open(`ws://127.0.0.1:${running.port}${path}/${token}`), token };
  };
  return { ...running, alice: await connect("Alice"), bob: await connect("Bob") };
}

/** The last frame of a question. */
async function ask(client: Client, question: object) {
  client.send({ identifier: "q", command: "chat", model: "long", ...question });
  for (;;) {
    const frame = await client.next();
    if (frame.type !== "ChatDelta") return frame;
  }
}

it("a question on the socket with wrong files or wrong messages to replace is refused, and the next one is answered", async () => {
  const { alice } = await stage();
  const wrong = [
    ...[1, "1", [], {}, { from: 1 }, { from: "a", to: 2 }, { from: 1.5, to: 2 }, { from: 0, to: 2 }].map(
      (replaces) => ({ conversationId: 1, replaces }),
    ),
    ...["a", {}, 1, [1], [null], [{}], [{ ...noFile, name: "" }], [{ ...noFile, name: "a".repeat(256) }]].map(
      (files) => ({ files }),
    ),
    { files: Array.from({ length: 9 }, () => noFile) },
    { files: [{ ...noFile, file_id: "../../etc/passwd" }] },
    { content: "a".repeat(100_001) },
  ];
  for (const question of wrong)
    expect([question, await ask(alice.client, { content: "x", ...question })]).toMatchObject([
      question,
      { type: "OperationFailed", identifier: "q" },
    ]);
  expect(await ask(alice.client, { content: "x" })).toMatchObject({ type: "ChatResult", code: 200 });
});

it("a question on the socket takes the place of no message of another person or conversation, and no file of theirs", async () => {
  const { telex, alice, bob } = await stage();
  const idsOf = async ({ token }: typeof alice, conversationId: number) => {
    const page = await telex.ai.conversationMessages(await telex.authenticate(token), { conversationId });
    return page.messages.map(({ id }) => id).toReversed();
  };
  for (const { client } of [alice, alice, bob])
    expect(await ask(client, { content: "mine" })).toMatchObject({ code: 200 });
  const ids = [await idsOf(alice, 1), await idsOf(alice, 2), await idsOf(bob, 3)];
  for (const [from = 0, to = 0] of ids.slice(1)) {
    const refused = await ask(alice.client, { content: "x", conversationId: 1, replaces: { from, to } });
    expect(refused).toMatchObject({
      type: "OperationFailed",
      msg: `The conversation has no question ${from}: it was replaced or deleted. Load the conversation again.`,
    });
  }
  expect(await ask(alice.client, { content: "x", files: [noFile] })).toMatchObject({ type: "OperationFailed" });
  expect([await idsOf(alice, 1), await idsOf(alice, 2), await idsOf(bob, 3)]).toEqual(ids);
});

it.each([
  ["a", 100_000],
  ["茶", 87_000],
  ["😀", 65_000],
])("a question of %s as often as fits into a frame, %i times, is answered", async (letter, times) => {
  const { alice } = await stage();
  expect(await ask(alice.client, { content: letter.repeat(times) })).toMatchObject({ type: "ChatResult", code: 200 });
});
