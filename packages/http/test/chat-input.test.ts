import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { crc32, createDeflate } from "node:zlib";
import { echoModel } from "@telex/core";
import { describe, expect, it } from "vitest";
import { overBothTransports, type Person, setup, type Setup } from "./setup.ts";

const chat = "/external/api/v1/sseStream/chat";
const seeing = new Map([["seeing", { ...echoModel, contextTokens: 200_000, takesImages: true }]]);

/** The status and the refusal of a question, or the text of its events. */
async function ask({ post }: Setup, by: Person, question: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await post(chat, question, by.token);
  const text = await answer.text();
  return { status: answer.status, body: answer.ok ? text : JSON.parse(text) };
}

const refusal = (status: number, error: string, msg: unknown = expect.any(String)) => ({
  status,
  body: { msg, data: { error } },
});

async function upload({ send }: Setup, by: Person, bytes: Uint8Array<ArrayBuffer> | string, name: string) {
  const form = new FormData();
  form.set("file", new File([bytes], name));
  const { status } = await send("/external/api/v1/bucket/upload", { method: "POST", body: form, token: by.token });
  expect(status).toBe(200);
  return { file_id: createHash("md5").update(bytes).digest("hex"), name };
}

/** The messages of a conversation, oldest first. */
async function messagesOf({ telex }: Setup, by: Person, conversationId: number) {
  const page = await telex.ai.conversationMessages(await telex.authenticate(by.token), { conversationId });
  return page.messages.toReversed();
}

const invalid = refusal(400, "invalid_request");
const noFile = { file_id: "0".repeat(32), name: "a.txt" };

overBothTransports("a question over HTTP", (open) => {
  it.each([
    1,
    "1",
    [],
    {},
    null,
    { from: 1 },
    { from: "a", to: 2 },
    { from: 1.5, to: 2 },
    { from: 0, to: 2 },
    { from: -1, to: 2 },
    { from: 1, to: 2 ** 53 },
  ])("is refused with the messages %j to replace", async (replaces) => {
    const given = await open();
    expect(await ask(given, given.alice, { content: "a", conversationId: 1, replaces })).toMatchObject(invalid);
  });

  it("is refused with files of a wrong form and with nine, and costs nothing", async () => {
    const given = await open();
    const { file_id, name } = noFile;
    const wrong = [
      "a",
      {},
      1,
      null,
      [1],
      [null],
      [[]],
      [{ name }],
      [{ file_id }],
      [{ file_id, name: "" }],
      [{ file_id, name: 1 }],
      [{ file_id, name: "a".repeat(256) }],
      [{ file_id: 1, name }],
      [{ file_id: "../../etc/passwd", name }],
      Array.from({ length: 9 }, () => noFile),
    ];
    for (const files of wrong)
      expect([files, await ask(given, given.alice, { content: "a", files })]).toMatchObject([files, invalid]);
    expect((await given.telex.ai.quota(await given.telex.authenticate(given.alice.token), {})).messageCount).toBe(0);
  });

  it("replaces no message of another person or of another conversation", async () => {
    const given = await open();
    for (const by of [given.alice, given.alice, given.bob]) await ask(given, by, { content: "mine" });
    const [own, other] = [await messagesOf(given, given.alice, 1), await messagesOf(given, given.alice, 2)];
    const foreign = await messagesOf(given, given.bob, 3);
    for (const [question, answer] of [other, foreign]) {
      const replaces = { from: question?.id ?? 0, to: answer?.id ?? 0 };
      const refused = await ask(given, given.alice, { content: "x", conversationId: 1, replaces });
      expect(refused).toMatchObject(refusal(404, "not_found"));
    }
    const replaces = { from: foreign[0]?.id ?? 0, to: foreign[1]?.id ?? 0 };
    const refused = await ask(given, given.alice, { content: "x", conversationId: 3, replaces });
    expect(refused).toMatchObject(refusal(404, "not_found"));
    // A range that ends in another conversation does not remove anything there.
    const wide = { from: own[0]?.id ?? 0, to: foreign[1]?.id ?? 0 };
    expect(await ask(given, given.alice, { content: "new", conversationId: 1, replaces: wide })).toMatchObject({
      status: 200,
    });
    expect((await messagesOf(given, given.alice, 1)).map(({ content }) => content)).toEqual(["new", "new"]);
    expect(await messagesOf(given, given.alice, 2)).toEqual(other);
    expect(await messagesOf(given, given.bob, 3)).toEqual(foreign);
  });

  it("quotes no file of another person, also where its id is known", async () => {
    const given = await open();
    const file = await upload(given, given.bob, "a secret of Bob", "bob.txt");
    for (const one of [file, noFile])
      expect(await ask(given, given.alice, { content: "a", files: [one] })).toMatchObject(
        refusal(404, "file_not_found"),
      );
  });

  it("has at most 100,000 characters, of any language", async () => {
    const given = await open({ telex: { models: seeing } });
    for (const letter of ["a", "茶", "😀"]) {
      expect(await ask(given, given.alice, { content: letter.repeat(100_000) })).toMatchObject({ status: 200 });
      expect(await ask(given, given.alice, { content: letter.repeat(100_001) })).toMatchObject(invalid);
    }
  });
});

function chunk(type: string, data: Uint8Array): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A black picture of 30,000 x 30,000 pixels, one bit each: 112 MB in a file of some 100 KB. */
async function makeBomb(): Promise<Uint8Array<ArrayBuffer>> {
  const header = Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 1, 0, 0, 0, 0]);
  const rows = Array.from({ length: 100 }, () => Buffer.alloc(300 * (1 + 30_000 / 8)));
  const data = await buffer(Readable.from(rows).pipe(createDeflate()));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.of())]),
  );
}

const jpeg = async (): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(new URL("../../image-text/test/golden/baseline.jpg", import.meta.url)));
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';

describe("a picture in a question", () => {
  const unreadable = refusal(422, "unreadable_image");

  it("is refused if it is a bomb, is broken off or only begins like one, and the server goes on", async () => {
    const given = await setup("over a socket", { telex: { models: seeing } });
    const whole = await jpeg();
    const begins = new Uint8Array([...whole.subarray(0, 8), ...Buffer.from("no picture".repeat(100))]);
    const bomb = await upload(given, given.alice, await makeBomb(), "bomb.png");
    // The header suffices: no pixel is decoded.
    const tooLarge = refusal(422, "unreadable_image", expect.stringContaining("50000000"));
    expect(await ask(given, given.alice, { content: "a", files: [bomb] })).toMatchObject(tooLarge);
    for (const bytes of [whole.subarray(0, whole.length / 2), begins]) {
      const file = await upload(given, given.alice, bytes, "broken.jpg");
      expect(await ask(given, given.alice, { content: "a", files: [file] })).toMatchObject(unreadable);
    }
    const good = await upload(given, given.alice, whole, "good.jpg");
    expect(await ask(given, given.alice, { content: "a", files: [good] })).toMatchObject({ status: 200 });
    expect(given.log).toEqual([]);
  });

  it("is no picture by its name, and an SVG is quoted as a text and not drawn", async () => {
    const given = await setup("over a socket", { telex: { models: seeing } });
    const binary = await upload(given, given.alice, new Uint8Array([0xff, 0, 1, 2]), "picture.png");
    expect(await ask(given, given.alice, { content: "a", files: [binary] })).toMatchObject(invalid);
    const text = await upload(given, given.alice, "tea", "tea.png");
    expect(await ask(given, given.alice, { content: "a", files: [text] })).toMatchObject({ status: 200 });
    const drawing = await upload(given, given.alice, svg, "drawing.svg");
    const answer = await ask(given, given.alice, { content: "a", files: [drawing] });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("etc/passwd") as unknown });
  });
});
