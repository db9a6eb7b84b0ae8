import { describe, expect, it } from "vitest";
import { operator } from "../src/index.ts";
import type { SegmentInput } from "../src/messages/contract.ts";
import { ticks } from "@telex/conformance/testing";
import { createKit, fileOf, type Kit, type KitOptions, segmentsOf } from "./kit.ts";

const deviceId = "printer";

/** An instance whose device, alice's, prints the room of alice and bob. */
async function createPrinter(room: { mentions?: boolean; life?: number } = {}, options: KitOptions = {}): Promise<Kit> {
  const kit = await createKit({ locale: "en", ...options });
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer", room: { groupId: kit.room, ...room } });
  return kit;
}

const say = async (kit: Kit, message: string | SegmentInput[], caller = kit.bob): Promise<void> => {
  await kit.telex.messages.send(caller, { groupId: kit.room, groupType: 1, message });
  await ticks(60);
};

const printed = async ({ telex, alice }: Kit, device = deviceId): Promise<string[]> =>
  (await telex.teleprinter.poll(alice, { deviceId: device, limit: 100 })).map(({ content }) => content);

const saidIn = async (kit: Kit): Promise<string[]> => {
  const { groupMessages } = await kit.telex.messages.history(kit.alice, {
    groupId: kit.room,
    groupType: 1,
    pageSize: 100,
  });
  return groupMessages
    .toReversed()
    .map((message) => `${message.nickname}: ${segmentsOf(message)[0]?.["text"]?.["text"] ?? ""}`);
};

const deviceCaller = async ({ telex }: Kit) => {
  const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: [`device:${deviceId}`] });
  return telex.authenticate(token);
};

describe("a device that prints a room", () => {
  it("prints what everybody says, in the order of the room, with their names", async () => {
    const kit = await createPrinter();
    await Promise.all(["one", "two", "three"].map((text) => say(kit, text)));
    await say(kit, "four", kit.alice);
    expect(await printed(kit)).toEqual(["鲍勃: one", "鲍勃: two", "鲍勃: three", "Alice: four"]);
  });

  it("prints the name of the room as a title, and what mentions its owner as more urgent", async () => {
    const kit = await createPrinter();
    const [room] = await kit.telex.operator.groups.list(operator, {});
    await say(kit, "one");
    await say(kit, "@Alice two");
    const texts = await kit.telex.teleprinter.poll(kit.alice, { deviceId, order: "priority", acks: "99" });
    expect(texts.map(({ content, title, priority }) => [content, title, priority])).toEqual([
      ["鲍勃: @Alice two", room?.name, 4],
      ["鲍勃: one", room?.name, undefined],
    ]);
  });

  it("prints only what mentions its owner, if that is wanted", async () => {
    const kit = await createPrinter({ mentions: true });
    await say(kit, "nobody");
    await say(kit, "hey @Alice, hello");
    await say(kit, [{ type: "at", data: { ext: "10001" } }]);
    await say(kit, [{ type: "at", data: { ext: "10002" } }]);
    await say(kit, [{ type: "at", data: { ext: "all" } }]);
    expect(await printed(kit)).toEqual(["鲍勃: hey @Alice, hello", "鲍勃: @Alice", "鲍勃: @全体成员"]);
  });

  it("prints nothing of the room that has waited longer than its owner wants", async () => {
    const kit = await createPrinter({ life: 60 });
    await say(kit, "lunch is ready");
    await kit.clock.advance(59_000);
    await say(kit, "still warm");
    await kit.clock.advance(1000);
    const texts = await kit.telex.teleprinter.poll(kit.alice, { deviceId });
    expect(texts.map(({ content, life }) => [content, life])).toEqual([["鲍勃: still warm", 59]]);
    await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer", room: { groupId: kit.room } });
    await say(kit, "good night");
    await kit.clock.advance(86_400_000);
    expect(await printed(kit)).toEqual(["鲍勃: good night"]);
  });

  it("cuts long texts to 2,000 characters, and never apart", async () => {
    const kit = await createPrinter();
    await say(kit, "😀".repeat(3000));
    const [text = ""] = await printed(kit);
    expect([...text].length).toBe(2000);
    expect(text.endsWith("😀…")).toBe(true);
  });

  it("prints pictures as text that fits, and files by a word", async () => {
    const kit = await createPrinter();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const { default: sharp } = await import("sharp");
    const tall = await sharp({ create: { width: 20, height: 90, channels: 3, background: "#000" } })
      .png()
      .toBuffer();
    const { file_id: picture } = await kit.telex.bucket.upload(kit.bob, {
      file: fileOf(tall, "tall.png", "image/png"),
    });
    const { file_id: file } = await kit.telex.bucket.upload(kit.bob, { file: fileOf(svg, "a.svg") });
    await say(kit, [
      { type: "text", data: { text: "look " } },
      { type: "image", data: { file_id: picture } },
      { type: "file", data: { file_id: file, name: "a.svg" } },
    ]);
    const texts: string[] = [];
    // Workers read pictures.
    for (; texts.length < 2; await ticks(1)) texts.push(...(await printed(kit)));
    const [words, art = "", ...others] = texts;
    expect([words, others]).toEqual(["鲍勃: look [file]", []]);
    const lines = art.split("\n");
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
    expect(art.length).toBeLessThanOrEqual(2000);
    expect(art.length).toBeGreaterThan(1500);
    await kit.telex.teleprinter.heartbeat(kit.alice, { deviceId, can: ["cut", "columns=12"] });
    await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer" });
    await say(kit, [{ type: "image", data: { file_id: picture } }]);
    const narrow: string[] = [];
    for (; narrow.length < 2; await ticks(1)) narrow.push(...(await printed(kit)));
    expect(new Set(narrow[1]?.split("\n").map(({ length }) => length))).toEqual(new Set([12]));
  });

  it("drops what finds its queue full, and says how much when there is place again", async () => {
    const kit = await createPrinter({}, { limits: { deviceQueue: 2 } });
    for (const text of ["1", "2", "3", "4"]) await say(kit, text);
    expect(await printed(kit)).toEqual(["鲍勃: 1", "鲍勃: 2"]);
    await say(kit, "5");
    expect(await printed(kit)).toEqual(["[Too much was waiting: 2 not printed]", "鲍勃: 5"]);
    await say(kit, "6");
    expect(await printed(kit)).toEqual(["鲍勃: 6"]);
    expect(kit.lines.filter((line) => line.includes("device.room_dropped"))).toHaveLength(1);
  });

  it("says in the room what it says, as its owner, once for each nonce, and does not print it", async () => {
    const kit = await createPrinter();
    const device = await deviceCaller(kit);
    await kit.telex.teleprinter.register(kit.bob, { deviceId: "other", name: "Other", room: { groupId: kit.room } });
    await kit.telex.teleprinter.sync(device, { deviceId, content: "hello from paper", nonce: "n-1" });
    await kit.telex.teleprinter.sync(device, { deviceId, content: "hello from paper", nonce: "n-1" });
    await ticks(60);
    expect(await saidIn(kit)).toEqual(["Alice: hello from paper"]);
    expect(await printed(kit)).toEqual([]);
    const others = await kit.telex.teleprinter.poll(kit.bob, { deviceId: "other", limit: 10 });
    expect(others.map(({ content }) => content)).toEqual(["Alice: hello from paper"]);
  });

  it("is silent while its owner is not a member, and prints again when the owner is back", async () => {
    const kit = await createPrinter();
    const { amendMembers } = kit.telex.operator.groups;
    await amendMembers(operator, { groupId: kit.room, remove: [1] });
    await say(kit, "secret");
    await kit.telex.teleprinter.sync(kit.alice, { deviceId, content: "anybody?" });
    await amendMembers(operator, { groupId: kit.room, add: [1] });
    await say(kit, "welcome back");
    expect(await printed(kit)).toEqual(["鲍勃: welcome back"]);
    expect(await saidIn(kit)).toEqual(["鲍勃: secret", "鲍勃: welcome back"]);
  });

  it("shows its room, keeps it when it is registered without one, and loses it with null", async () => {
    const kit = await createPrinter({ mentions: true });
    const register = (input: object) =>
      kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer", ...input });
    expect(await register({})).toMatchObject({ room: { groupId: kit.room, mentions: true } });
    expect(await register({ room: null })).not.toHaveProperty("room");
    await say(kit, "@Alice unheard");
    expect(await printed(kit)).toEqual([]);
  });

  it("gets a room only from its owner, who must be a member, and not with a token for the device alone", async () => {
    const kit = await createPrinter();
    const room = { groupId: kit.room };
    const device = await deviceCaller(kit);
    const register = (caller: Kit["alice"], input: object, id = deviceId) =>
      kit.telex.teleprinter.register(caller, { deviceId: id, name: "Printer", ...input });
    for (const setting of [{ room }, { room: null }]) {
      await expect(register(device, setting)).rejects.toMatchObject({ code: "insufficient_scope" });
    }
    await expect(register(device, {})).resolves.toMatchObject({ room });
    await expect(register(kit.carol, { room }, "carols")).rejects.toMatchObject({ code: "group_not_found" });
    await expect(register(kit.carol, { room: { groupId: 999 } }, "carols")).rejects.toMatchObject({
      code: "group_not_found",
    });
    await expect(kit.telex.teleprinter.heartbeat(kit.carol, { deviceId: "carols" })).rejects.toMatchObject({
      code: "device_not_found",
    });
  });

  it("keeps what was said in the room from an admin who reads the device", async () => {
    const kit = await createPrinter();
    await kit.telex.teleprinter.send(kit.alice, { deviceId, content: "a note" });
    await say(kit, "secret");
    await kit.telex.teleprinter.sync(kit.alice, { deviceId, content: "answer" });
    const { messages } = await kit.telex.operator.devices.messages(operator, { deviceId });
    expect(messages.map(({ content }) => content)).toEqual(["a note"]);
    const own = await kit.telex.teleprinter.messages(kit.alice, { deviceId });
    expect(own.messages.map(({ content }) => content)).toEqual(["answer", "鲍勃: secret", "a note"]);
  });
});
