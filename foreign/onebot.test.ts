import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createOneBot } from "@telex/bot-onebot";
import { createMemoryBlobs } from "@telex/blobs/memory";
import type { SegmentInput } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createScene } from "@telex/core/testing";
import { createHttp, serve } from "@telex/http";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { freePort } from "test-support/port";
import { goProgram } from "./support/go.ts";
import { smallPicture } from "./support/picture.ts";

const account = { account: "bot-1", token: "secret", minInterval: 0 } as const;

/** A server on a file, which can be started again. */
async function startServer(file: string, port: number) {
  const oneBot = createOneBot({ accounts: [account] });
  const scene = await createScene({
    storage: await createSqliteStorage({ file }),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins: [oneBot.plugin],
  });
  const { telex } = scene;
  const serving = await serve({ telex, http: createHttp(telex), ws: [createWs(telex), oneBot], port });
  onTestFinished(() => serving.close(0));
  const [gateway] = oneBot.plugin.gateways ?? [];
  return { scene, ...serving, isOnline: () => gateway?.findAccount("bot-1")?.isOnline === true };
}

/** A server with a room of the network's group 500, and Alice in it. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), "telex-onebot-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, port] = [join(folder, "telex.db"), await freePort()];
  let server = await startServer(file, port);
  const alice = await server.scene.person("Alice");
  const groupId = await server.scene.room([alice], { groupType: 4, ext: "500", bot: "bot-1" });
  const asAlice = async () => ({ telex: server.scene.telex, caller: await server.scene.caller(alice) });
  return {
    url: `ws://127.0.0.1:${port}/onebot`,
    isOnline: () => server.isOnline(),
    restart: async () => {
      await server.close(0);
      server = await startServer(file, port);
    },
    send: async (message: string | SegmentInput[]) => {
      const { telex, caller } = await asAlice();
      return telex.messages.send(caller, { groupId, groupType: 4, message });
    },
    upload: async (name: string, bytes: Uint8Array) => {
      const { telex, caller } = await asAlice();
      const stream = (async function* () {
        yield bytes;
      })();
      return (await telex.bucket.upload(caller, { file: { name, mime: "", bytes: stream } })).file_id;
    },
    messages: async () => {
      const { telex, caller } = await asAlice();
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
  it("sends and receives text, mentions, quotes, pictures and files, also after a restart of either side", async () => {
    const { url, isOnline, send, upload, messages, restart } = await start();
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

    const bytes = await smallPicture();
    const imageId = await upload("a.png", bytes);
    const fileId = await upload("b.txt", Buffer.from("tea for two"));
    await send([{ type: "image", data: { file_id: imageId } }]);
    await send([
      { type: "reply", data: { messageId } },
      { type: "file", data: { file_id: fileId, name: "b.txt" } },
    ]);
    expect(await second.told(4)).toMatchObject([
      { uploaded: `${imageId}.png`, size: bytes.length },
      { sent: [{ type: "image", data: { file_id: `f-${imageId}.png` } }] },
      { uploaded: "b.txt", size: 11 },
      {
        sent: [
          { type: "reply", data: { message_id: networkId } },
          { type: "file", data: { file_id: "f-b.txt" } },
        ],
      },
    ]);
    second.say("n-3", [{ type: "image", data: { file_id: `f-${imageId}.png` } }]);
    await vi.waitUntil(async () => (await messages()).length === 6, patience);
    expect((await messages())[0]).toMatchObject({
      userId: "1001",
      content: [{ image: { file: `${imageId}.png`, file_size: String(bytes.length) } }],
    });

    await restart();
    await vi.waitUntil(isOnline, patience);
    await send("after a restart of the server");
    expect((await second.told(5))[4]).toMatchObject({
      sent: [{ type: "text", data: { text: "after a restart of the server" } }],
    });
    second.say("n-3", [{ type: "text", data: { text: "told again" } }]);
    second.say("n-4", [
      { type: "reply", data: { message_id: networkId } },
      { type: "text", data: { text: "still here" } },
    ]);
    await vi.waitUntil(async () => (await messages()).length === 8, patience);
    expect((await messages())[0]).toMatchObject({
      content: [{ reply: { id: networkId, messageId: String(messageId) } }, { text: { text: "still here" } }],
    });
  });
});
