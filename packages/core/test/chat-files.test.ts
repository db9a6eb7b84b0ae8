import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { echoModel } from "../src/ai/model.ts";
import { type ChatModel, type Caller, operator, TelexError } from "../src/index.ts";
import type { ChatMessage } from "../src/ai/model.ts";
import { createKit, fileOf, type Kit } from "./kit.ts";

type Input = Parameters<Kit["telex"]["ai"]["chat"]>[1];

async function ask(kit: Kit, input: Input, caller = kit.alice) {
  for await (const event of await kit.telex.ai.chat(caller, input)) if (event.kind === "result") return event;
  throw new Error("A reply ends with its result.");
}

/** An instance with a model that takes pictures, and one that takes none. */
async function begin() {
  const asked: (readonly ChatMessage[])[] = [];
  const hear = (takesImages: boolean): ChatModel => ({
    ...echoModel,
    contextTokens: 50_000,
    takesImages,
    reply(request) {
      asked.push(request.messages);
      return echoModel.reply(request);
    },
  });
  const kit = await createKit({
    models: new Map([
      ["sees", hear(true)],
      ["blind", hear(false)],
    ]),
  });
  const upload = async (bytes: Parameters<typeof fileOf>[0], name: string, caller: Caller = kit.alice) => ({
    file_id: (await kit.telex.bucket.upload(caller, { file: fileOf(bytes, name) })).file_id,
    name,
  });
  return { kit, upload, asked };
}

const picture = () =>
  sharp({ create: { width: 900, height: 30, channels: 3, background: "#123" } })
    .png()
    .toBuffer();

const refusal = async (asked: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  return TelexError.is(error) ? (error.reason ?? error.code) : error;
};

describe("a question with files", () => {
  it("tells the model the text as quoted data and a small picture, also in later questions, and is kept", async () => {
    const { kit, upload, asked } = await begin();
    const files = [await upload("a ```` b\n", "茶.txt"), await upload(await picture(), "tea.png")];
    const { conversationId } = await ask(kit, { content: "What is this?", files });
    const quoted = 'What is this?\n\nThe file "茶.txt":\n`````\na ```` b\n\n`````';
    const image: unknown = expect.stringMatching(/^data:image\/jpeg;base64,/);
    const message = { role: "user", content: quoted, parts: [{ text: quoted }, { image }] };
    expect(asked.at(-1)).toEqual([message]);
    await ask(kit, { content: "And now?", conversationId });
    expect(asked.at(-1)?.[0]).toEqual(message);
    const { messages } = await kit.telex.ai.conversationMessages(kit.alice, { conversationId });
    expect(messages.at(-1)).toMatchObject({
      content: "What is this?",
      files: [
        { name: "茶.txt", size: 9, thumbnail: null, url: `/api/file/${files[0]?.file_id ?? ""}` },
        { name: "tea.png", mime: "image/png", thumbnail: `/download/128_${files[1]?.file_id ?? ""}.png` },
      ],
    });
    expect(messages[0]).not.toHaveProperty("files");
    expect((await kit.telex.ai.quota(kit.alice, {})).messageCount).toBe(2);
  });

  it("counts a picture in the share that is set aside", async () => {
    const { kit, upload } = await begin();
    const files = [await upload(await picture(), "tea.png")];
    await kit.telex.operator.quota.assign(operator, { userId: 1, unit: "token", max: 2050, period: "daily" });
    const startOf = (input: Input) => kit.telex.ai.chat(kit.alice, input);
    const running = await startOf({ content: "x", files });
    expect(await refusal(startOf({ content: "x", files }))).toBe("quota_exceeded");
    await running[Symbol.asyncIterator]().next();
  });

  it("is told the name of a picture that a later model does not take, and of a file that is gone", async () => {
    const { kit, upload, asked } = await begin();
    const files = [await upload(await picture(), "tea.png")];
    const { conversationId } = await ask(kit, { content: "Look", files });
    await ask(kit, { content: "And now?", conversationId, model: "blind" });
    expect(asked.at(-1)?.[0]).toEqual({ role: "user", content: 'Look\n\nThe file "tea.png".' });
  });

  it("is refused with a reason, before the model is asked", async () => {
    const { kit, upload, asked } = await begin();
    const text = await upload("x".repeat(262_145), "long.txt");
    const bad: [Awaited<ReturnType<typeof upload>>, string, string?][] = [
      [text, "file_too_long"],
      [await upload("x".repeat(10_000_000), "10 MB.txt"), "file_too_long"],
      [await upload(Buffer.from([0xff, 0xfe, 0x41]), "a.bin"), "file_not_text"],
      [await upload("a\0b", "zero.txt"), "file_not_text"],
      [await upload(await picture(), "tea.png"), "model_without_images", "blind"],
      [await upload("word ".repeat(52_000), "much.txt"), "prompt_too_long"],
      [await upload("mine", "bob.txt", kit.bob), "file_not_found"],
      [{ file_id: "0".repeat(32), name: "gone.txt" }, "file_not_found"],
    ];
    for (const [file, reason, model] of bad)
      expect(await refusal(ask(kit, { content: "x", files: [file], ...(model !== undefined && { model }) }))).toBe(
        reason,
      );
    expect(asked).toEqual([]);
    expect((await kit.telex.ai.quota(kit.alice, {})).messageCount).toBe(0);
  });
});
