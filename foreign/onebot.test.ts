import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createOneBot } from "@telex/bot-onebot";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createSharpEngine } from "@telex/core/sharp";
import { createScene } from "@telex/core/testing";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import sharp from "sharp";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { goProgram } from "./support/go.ts";

const account = { account: "bot-1", token: "secret", minInterval: 0 } as const;

/** A server with a room of the network's group 500, and Alice in it. */
async function start() {
  const oneBot = createOneBot({ accounts: [account] });
  const scene = await createScene({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins: [oneBot.plugin],
  });
  const { telex } = scene;
  const serving = await serve({ telex, http: createHttp(telex), ws: [createWs(telex), oneBot], port: 0 });
  onTestFinished(() => serving.close(0));
  const alice = await scene.person("Alice");
  const caller = await scene.caller(alice);
  const groupId = await scene.room([alice], { groupType: 4, ext: "500", bot: "bot-1" });
  const [gateway] = oneBot.plugin.gateways ?? [];
  return {
    telex,
    caller,
    groupId,
    url: `${serving.url.replace("http", "ws")}/onebot`,
    isOnline: () => gateway?.findAccount("bot-1")?.isOnline === true,
    messages: async () => {
      const { groupMessages } = await telex.messages.history(caller, { groupId, groupType: 4 });
      return groupMessages.map(({ userId, nickname, content }) => ({
        userId,
        nickname,
        content: JSON.parse(content) as unknown,
      }));
    },
  };
}

const patience = { timeout: 30_000 };
const told = z.looseObject({ id: z.string().optional() });

/** The program, and what it was asked to send. */
function run(url: string) {
  const child = spawn(goProgram("onebot-go"), [url, "secret", "9000"], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof told>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(told.parse(JSON.parse(line))));
  return {
    /** The first lines of its output. */
    told: async (count: number) => {
      await vi.waitUntil(() => lines.length >= count, patience);
      return lines;
    },
    kill: () => child.kill("SIGKILL"),
    say: (id: string, message: readonly object[]) =>
      child.stdin.write(`${JSON.stringify({ group: "500", user: "1001", id, message })}\n`),
  };
}

describe("an implementation of OneBot 12 made with go-libonebot", () => {
  it("sends and receives text, mentions, quotes, pictures and files, also after it was killed", async () => {
    const { url, isOnline, telex, caller, groupId, messages } = await start();
    const send = async (message: Parameters<typeof telex.messages.send>[1]["message"]) =>
      telex.messages.send(caller, { groupId, groupType: 4, message });
    await expect(send("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });

    const first = run(url);
    await vi.waitUntil(isOnline, patience);
    const { messageId } = await send([
      { type: "at", data: { ext: "1001" } },
      { type: "text", data: { text: " hi" } },
    ]);
    const [sent] = await first.told(1);
    expect(sent).toMatchObject({
      group: "500",
      sent: [
        { type: "mention", data: { user_id: "1001" } },
        { type: "text", data: { text: " hi" } },
      ],
    });
    const networkId = sent?.id ?? "";
    first.say("n-1", [
      { type: "reply", data: { message_id: networkId } },
      { type: "mention", data: { user_id: "1002" } },
      { type: "text", data: { text: " yes" } },
      { type: "file", data: { file_id: "f-1", name: "a.txt" } },
    ]);
    await vi.waitUntil(async () => (await messages()).length === 2, patience);
    expect((await messages())[0]).toEqual({
      userId: "1001",
      nickname: "card of 1001",
      content: [
        { reply: { id: networkId, messageId: String(messageId) } },
        { at: { ext: "1002", name: "card of 1002" } },
        { text: { text: " yes" } },
        { file: { file: "a.txt" } },
      ],
    });

    first.kill();
    await vi.waitUntil(() => !isOnline(), patience);
    await expect(send("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });
    const second = run(url);
    await vi.waitUntil(isOnline, patience);
    second.say("n-1", [{ type: "text", data: { text: "told again" } }]);
    second.say("n-2", [{ type: "text", data: { text: "new" } }]);
    await vi.waitUntil(async () => (await messages()).length === 3, patience);
    expect((await messages())[0]).toMatchObject({ content: [{ text: { text: "new" } }] });

    const bytes = await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const chunks = (async function* () {
      yield new Uint8Array(bytes);
    })();
    const { file_id } = await telex.bucket.upload(caller, { file: { name: "a.png", mime: "", bytes: chunks } });
    await send([{ type: "image", data: { file_id } }]);
    expect(await second.told(2)).toMatchObject([
      { uploaded: `${file_id}.png`, size: bytes.length },
      { sent: [{ type: "image", data: { file_id: `f-${file_id}.png` } }] },
    ]);
  });
});
