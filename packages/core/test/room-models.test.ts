import { describe, expect, it } from "vitest";
import { echoModel } from "../src/ai/model.ts";
import { type ChatMessage, type ChatModel, operator } from "../src/index.ts";
import type { SegmentInput } from "../src/messages/contract.ts";
import { ticks } from "@telex/conformance/testing";
import { createKit, fileOf, type KitOptions, segmentsOf } from "./kit.ts";

const usage = { promptTokens: 1, completionTokens: 1, estimated: false };

/** A model that answers with a text of the test, and keeps its prompts. */
function createListening(settings: Partial<ChatModel> = {}) {
  const told: (readonly ChatMessage[])[] = [];
  const state = { says: "yes" };
  const model: ChatModel = {
    ...echoModel,
    ...settings,
    async *reply({ messages }) {
      told.push(messages);
      await Promise.resolve();
      yield { kind: "delta", delta: state.says };
      yield { kind: "end", finishReason: "stop", usage };
    },
  };
  return { model, told, state };
}

/** The room of alice and bob, with a model. */
async function scene(settings: Partial<ChatModel> = {}, options: KitOptions = {}) {
  const { model, told, state } = createListening(settings);
  const kit = await createKit({ models: new Map([["listening", model]]), ...options });
  const { telex, room: groupId } = kit;
  const { id } = await telex.operator.users.add(operator, { nickname: "Ada", ai: "listening" });
  await telex.operator.groups.amendMembers(operator, { groupId, add: [id] });
  const say = async (message: string | SegmentInput[], by = kit.bob): Promise<number> => {
    const { messageId } = await telex.messages.send(by, { groupId, groupType: 1, message });
    await ticks(60);
    return messageId;
  };
  /** The requests to the model, once it has got this number of them. */
  const heard = async (times = 1): Promise<readonly ChatMessage[]> => {
    while (told.length < times) await ticks();
    await ticks(60);
    return told.at(-1) ?? [];
  };
  const newest = async () => {
    const { groupMessages } = await telex.messages.history(kit.alice, { groupId, groupType: 1, pageSize: 1 });
    return groupMessages.flatMap(segmentsOf);
  };
  return { ...kit, say, heard, newest, state };
}

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a model that a member mentions", () => {
  it("is told who said what, what was quoted, and nothing of other rooms", async () => {
    const { telex, say, heard, alice, carol } = await scene();
    const { groupId: other } = await telex.operator.groups.add(operator, {
      groupType: 1,
      name: "Secret",
      members: [3],
    });
    await telex.messages.send(carol, { groupId: other, groupType: 1, message: "The code is 4711" });
    const soup = await say("Soup at six");
    await say([
      { type: "reply", data: { messageId: soup } },
      { type: "text", data: { text: "Better at seven" } },
    ]);
    await say("@Ada when?", alice);
    const [system, block, question] = await heard();
    expect([system?.role, block?.role, question?.content]).toEqual(["system", "user", "Alice: @Ada when?"]);
    expect(block?.content).toContain(`"quotes":{"id":${soup},"from":"鲍勃","text":"Soup at six"}`);
    expect(block?.content).toContain('"text":"Better at seven"');
    expect(JSON.stringify([system, block])).not.toContain("4711");
  });

  it("is told the newest messages within the limit, and that there are others", async () => {
    const { say, heard } = await scene({}, { limits: { roomTokens: 10 } });
    for (let number = 1; number <= 5; number += 1) await say(`${"word ".repeat(4)}${number}`);
    await say("@Ada?");
    const [system, block] = await heard();
    expect(system?.content).toContain("You see 2 messages. Older ones are left out");
    expect(block?.content).toMatch(/word 4"[^]*word 5"/);
    expect(block?.content).not.toContain("word 3");
  });

  it("sees pictures only if it takes pictures", async () => {
    for (const takesImages of [true, false]) {
      const { telex, say, heard, bob } = await scene({ takesImages });
      const file = fileOf(Buffer.from(dot, "base64"), "dot.png", "image/png");
      const { file_id } = await telex.bucket.upload(bob, { file });
      await say([{ type: "image", data: { file_id } }]);
      await say("@Ada what is this?");
      const images = (await heard()).flatMap(({ parts = [] }) => parts.flatMap(({ image }) => image ?? []));
      expect(images.map((image) => image.slice(0, 23))).toEqual(takesImages ? ["data:image/jpeg;base64,"] : []);
    }
  });

  it("refers to messages that it was told, and to no others", async () => {
    const { say, heard, newest, state } = await scene();
    const soup = await say("Soup at six");
    state.says = `At six [#${soup}], or seven [#7].`;
    await say("@Ada when?");
    await heard();
    expect((await newest()).flatMap(({ text }) => text?.["text"] ?? [])).toEqual([`At six [#${soup}], or seven.`]);
  });
});
