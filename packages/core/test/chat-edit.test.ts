import { describe, expect, it } from "vitest";
import { echoModel } from "../src/ai/model.ts";
import { type ChatModel, operator, TelexError } from "../src/index.ts";
import { createKit, type Kit } from "./kit.ts";

type Input = Parameters<Kit["telex"]["ai"]["chat"]>[1];

async function ask(kit: Kit, input: Input, caller = kit.alice): Promise<void> {
  for await (const event of await kit.telex.ai.chat(caller, input)) expect(event.conversationId).toBe(1);
}

const messagesOf = async (kit: Kit) =>
  (await kit.telex.ai.conversationMessages(kit.alice, { conversationId: 1 })).messages.toReversed();

const said = async (kit: Kit): Promise<string[]> => (await messagesOf(kit)).map(({ content }) => content);

/** A conversation of three turns whose answers repeat the questions, and how to edit the question of a turn. */
async function begin(models?: ReadonlyMap<string, ChatModel>) {
  const kit = await createKit(models === undefined ? {} : { models });
  await ask(kit, { content: "one" });
  for (const content of ["two", "three"]) await ask(kit, { content, conversationId: 1 });
  const ids = (await messagesOf(kit)).map(({ id }) => id);
  const edit = (content: string, number: 0 | 1 | 2, to = ids.at(-1) ?? 0): Input => ({
    content,
    conversationId: 1,
    replaces: { from: ids[number * 2] ?? 0, to },
  });
  return { kit, ids, edit };
}

describe("an edited question", () => {
  it("is answered with what was said before it, and removes what came after", async () => {
    const prompts: string[][] = [];
    const model: ChatModel = {
      ...echoModel,
      reply(request) {
        prompts.push(request.messages.map(({ content }) => content));
        return echoModel.reply(request);
      },
    };
    const { kit, edit } = await begin(new Map([["m", model]]));
    await ask(kit, edit("zwei", 1));
    expect(prompts.at(-1)).toEqual(["one", "one", "zwei"]);
    expect(await said(kit)).toEqual(["one", "one", "zwei", "zwei"]);
    expect((await kit.telex.ai.quota(kit.alice, {})).messageCount).toBe(4);
  });

  it("can be the first one, and keeps what the caller had not seen", async () => {
    const { kit, ids, edit } = await begin();
    await ask(kit, edit("uno", 0, ids[3]));
    expect(await said(kit)).toEqual(["three", "three", "uno", "uno"]);
  });

  it("leaves everything as it was while its reply has not begun, and if it fails", async () => {
    let isAway = false;
    const model: ChatModel = {
      ...echoModel,
      async *reply(request) {
        if (isAway) expect(await said(kit)).toHaveLength(6);
        if (isAway) throw new Error("away");
        yield* echoModel.reply(request);
      },
    };
    const { kit, edit } = await begin(new Map([["m", model]]));
    isAway = true;
    await expect(ask(kit, edit("zwei", 1))).rejects.toMatchObject({ code: "ai_unavailable" });
    expect(await said(kit)).toEqual(["one", "one", "two", "two", "three", "three"]);
  });

  it("is kept beside the one that another tab edits simultaneously", async () => {
    const { kit, edit } = await begin();
    await Promise.all([ask(kit, edit("a", 1)), ask(kit, edit("b", 1))]);
    expect((await said(kit)).toSorted()).toEqual(["a", "a", "b", "b", "one", "one"]);
  });

  it("is refused, and costs nothing, where the conversation has no such question", async () => {
    const { kit, ids, edit } = await begin();
    const { conversationId: _id, ...withoutConversation } = edit("x", 1);
    const answer = { from: ids[1] ?? 0, to: ids[5] ?? 0 };
    for (const input of [{ ...edit("x", 1), replaces: answer }, withoutConversation]) {
      const refusal: unknown = await ask(kit, input).catch((error: unknown) => error);
      expect(TelexError.is(refusal) && [refusal.code, refusal.reason]).toEqual(["not_found", "question_unknown"]);
    }
    await expect(ask(kit, edit("x", 1), kit.bob)).rejects.toMatchObject({ code: "not_found" });
    expect(await said(kit)).toHaveLength(6);
    expect((await kit.telex.ai.quota(kit.alice, {})).messageCount).toBe(3);
  });

  it("is refused where the quota is used up", async () => {
    const { kit, edit } = await begin();
    await kit.telex.operator.quota.assign(operator, { userId: 1, unit: "count", max: 3, period: "daily" });
    await expect(ask(kit, edit("x", 1))).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await said(kit)).toHaveLength(6);
  });
});
