import { describe, expect, it } from "vitest";
import { type ChatModel, operator, type TelexOptions } from "../src/index.ts";
import { echoModel } from "../src/ai/model.ts";
import { createKit, type Kit } from "./kit.ts";
import { ticks } from "@telex/conformance/testing";

const deviceId = "printer";

/** An instance whose device is answered by a model. */
async function createPrinter(options: Partial<Omit<TelexOptions, "clock">> = {}): Promise<Kit> {
  const kit = await createKit({ locale: "en", ...options });
  const [first] = await kit.telex.ai.models(kit.alice, {});
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer", ai: first?.model ?? "" });
  return kit;
}

async function say(kit: Kit, content: string, nonce?: string): Promise<void> {
  await kit.telex.teleprinter.sync(kit.alice, { deviceId, content, ...(nonce !== undefined && { nonce }) });
  await ticks(60);
}

const printed = async (kit: Kit): Promise<string[]> =>
  (await kit.telex.teleprinter.poll(kit.alice, { deviceId, limit: 100 })).map(({ content }) => content);

/** A model that answers with what a test says, and keeps what it was shown. */
function createScripted(answer: (content: string) => string | Error) {
  const shown: string[][] = [];
  const model: ChatModel = {
    ...echoModel,
    async *reply({ messages, maxOutputTokens, signal }) {
      shown.push(messages.map(({ role, content }) => `${role}: ${content}`));
      const said = answer(messages.at(-1)?.content ?? "");
      if (said instanceof Error) throw said;
      yield { kind: "delta", delta: said };
      yield* echoModel.reply({ messages: [], maxOutputTokens, signal });
    },
  };
  return { models: new Map([["scripted", model]]), shown };
}

const assign = (kit: Kit, max: number) =>
  kit.telex.operator.quota.assign(operator, { userId: 1, unit: "count", max, period: "daily" });

describe("a device with a model", () => {
  it("gets what it says answered, under its owner's quota", async () => {
    const kit = await createPrinter();
    await say(kit, "Hello out there");
    expect(await printed(kit)).toEqual(["Hello out there"]);
    expect(await kit.telex.ai.quota(kit.alice, {})).toMatchObject({ messageCount: 1, tokenCount: 6 });
    expect((await kit.telex.ai.conversations(kit.alice, {})).total).toBe(0);
  });

  it("shows its model, keeps it when it is registered without one, and loses it with null", async () => {
    const kit = await createPrinter();
    const register = (input: object) =>
      kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer", ...input });
    expect(await register({})).toMatchObject({ ai: "echo" });
    expect(await register({ ai: null })).not.toHaveProperty("ai");
    await say(kit, "Anybody there?");
    expect(await printed(kit)).toEqual([]);
  });

  it("that prints a room gets replies that no admin reads, because they may repeat the room", async () => {
    const { models, shown } = createScripted((content) => `You said: ${content}`);
    const kit = await createPrinter({ models });
    const { teleprinter, operator: admin } = kit.telex;
    const register = (groupId: number | null) =>
      teleprinter.register(kit.alice, { deviceId, name: "Printer", room: groupId === null ? null : { groupId } });
    const readByAdmin = async () =>
      (await admin.devices.messages(operator, { deviceId })).messages.map(({ content }) => content);
    await register(kit.room);
    await say(kit, "secret");
    expect(await printed(kit)).toEqual(["You said: secret"]);
    expect(await readByAdmin()).toEqual([]);
    await register(null);
    await say(kit, "What did I say?");
    expect(shown.at(-1)).toEqual(["user: What did I say?"]);
    expect(await readByAdmin()).toEqual(["You said: What did I say?", "What did I say?"]);
  });

  it("cannot have a model that does not exist, nor be given one with a token for the device alone", async () => {
    const kit = await createPrinter();
    const register = (caller: Kit["alice"], ai: string | null) =>
      kit.telex.teleprinter.register(caller, { deviceId, name: "Printer", ai });
    await expect(register(kit.alice, "gpt-9")).rejects.toMatchObject({ code: "not_found", reason: "model_unknown" });
    const { token } = await kit.telex.operator.tokens.issue(operator, { userId: 1, scopes: [`device:${deviceId}`] });
    const device = await kit.telex.authenticate(token);
    await expect(register(device, "echo")).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(kit.telex.teleprinter.register(device, { deviceId, name: "Renamed" })).resolves.toMatchObject({
      ai: "echo",
    });
  });

  it("is answered in messages of at most 2000 characters that cut no character apart", async () => {
    const family = "👨‍👩‍👧‍👦";
    const { models } = createScripted(() => family.repeat(700));
    const kit = await createPrinter({ models });
    await say(kit, "Draw families");
    const messages = await printed(kit);
    expect(messages.map((message) => [...message].length)).toEqual([1995, 1995, 910]);
    expect(messages.every((message) => message.startsWith(family))).toBe(true);
  });

  it("is answered with what is on its paper in mind", async () => {
    const { models, shown } = createScripted((content) => `You said ${content}`);
    const kit = await createPrinter({ models });
    await say(kit, "one");
    await kit.telex.teleprinter.send(kit.alice, { deviceId, content: "a note from the page" });
    await say(kit, "two");
    expect(shown).toEqual([
      ["user: one"],
      ["user: one", "assistant: You said one", "assistant: a note from the page", "user: two"],
    ]);
  });

  it("is answered in order, one after the other, and once for a repeated text", async () => {
    const { models } = createScripted((content) => `re ${content}`);
    const kit = await createPrinter({ models });
    for (const content of ["a", "b", "c"])
      void kit.telex.teleprinter.sync(kit.alice, { deviceId, content, nonce: content });
    await ticks(200);
    await say(kit, "c", "c");
    expect(await printed(kit)).toEqual(["re a", "re b", "re c"]);
  });

  it("is told shortly why there is no answer, in the words of the catalogue, never in those of the provider", async () => {
    const { models } = createScripted(() => new Error("the key sk-1 is wrong"));
    const kit = await createPrinter({ models });
    await say(kit, "Hello");
    expect(await printed(kit)).toEqual(["The AI model does not respond. Try again later."]);
  });

  it("does not go round in circles with failures that it prints back", async () => {
    const kit = await createPrinter({ locale: "zh-CN" });
    await assign(kit, 0);
    await say(kit, "Hello");
    const [failure = ""] = await printed(kit);
    expect(failure).toMatch(/^本周期配额已用尽/);
    await say(kit, failure);
    expect(await printed(kit)).toEqual([]);
    await kit.clock.advance(60_000);
    await say(kit, "Hello");
    expect(await printed(kit)).toHaveLength(1);
  });

  it("refuses what comes while too much waits for an answer", async () => {
    const { models } = createScripted((content) => `re ${content}`);
    const kit = await createPrinter({ models });
    const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((content) => kit.telex.teleprinter.sync(kit.alice, { deviceId, content })));
    await ticks(400);
    const messages = await printed(kit);
    expect(messages.filter((message) => message.startsWith("re "))).toHaveLength(8);
    expect(messages.filter((message) => message.includes("busy"))).toHaveLength(1);
  });
});
