import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createOneBot } from "@telex/bot-onebot";
import { createFsBlobs } from "@telex/blobs/fs";
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
    blobs: createFsBlobs({ directory: `${file}.blobs` }),
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
const told = z.looseObject({ id: z.string().optional(), sent: z.array(z.unknown()).optional() });

/** The program, and what it was asked to send. */
function run(url: string) {
  const child = spawn(goProgram("onebot-go"), [url, "secret", "9000"], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof told>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(told.parse(JSON.parse(line))));
  return {
    lines,
    /** Waits until it was asked to send a message with this text. */
    sent: (text: string) =>
      vi.waitUntil(() => lines.find(({ sent = [] }) => JSON.stringify(sent).includes(`"${text}"`)), patience),
    kill: () => child.kill("SIGKILL"),
    say: (id: string, message: readonly object[]) =>
      child.stdin.write(`${JSON.stringify({ group: "500", user: "1001", id, message })}\n`),
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** A message as both sides know it. */
interface Quoted {
  readonly messageId: number;
  readonly networkId: string;
}

/** Sends text, a mention, a quote, a picture and a file, and lets the program say the same. */
async function exchange(
  { send, upload, messages }: Server,
  program: ReturnType<typeof run>,
  { messageId, networkId }: Quoted,
  when: string,
): Promise<void> {
  const bytes = await smallPicture();
  const [imageId, fileId] = [await upload("a.png", bytes), await upload("b.txt", Buffer.from("tea for two"))];
  const { length } = await messages();
  await send([
    { type: "reply", data: { messageId } },
    { type: "at", data: { ext: "1001" } },
    { type: "text", data: { text: when } },
    { type: "image", data: { file_id: imageId } },
    { type: "file", data: { file_id: fileId, name: "b.txt" } },
  ]);
  const said = [
    { type: "reply", data: { message_id: networkId } },
    { type: "mention", data: { user_id: "1001" } },
    { type: "text", data: { text: when } },
    { type: "image", data: { file_id: `f-${imageId}.png` } },
    { type: "file", data: { file_id: "f-b.txt" } },
  ];
  expect(await program.sent(when)).toMatchObject({ group: "500", sent: said });
  expect(program.lines).toContainEqual({ uploaded: `${imageId}.png`, size: bytes.length });
  expect(program.lines).toContainEqual({ uploaded: "b.txt", size: 11 });
  const file = { type: "file", data: { file_id: "f-b.txt", name: "b.txt" } };
  program.say(`said ${when}`, [...said.slice(0, -1), file]);
  await vi.waitUntil(async () => (await messages()).length === length + 2, patience);
  expect((await messages())[0]).toMatchObject({
    userId: "1001",
    nickname: "card of 1001",
    content: [
      { reply: { id: networkId, messageId: String(messageId) } },
      { at: { ext: "1001", name: "card of 1001" } },
      { text: { text: when } },
      { image: { file: `${imageId}.png`, file_size: String(bytes.length) } },
      { file: { file: "b.txt" } },
    ],
  });
}

describe("an implementation of OneBot 12 made with go-libonebot", () => {
  it("sends and receives text, mentions, quotes, pictures and files, also after a restart of either side", async () => {
    const server = await start();
    const { url, isOnline, send, messages, restart } = server;
    await expect(send("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });

    const first = run(url);
    await vi.waitUntil(isOnline, patience);
    const { messageId } = await send("hello");
    const { id: networkId = "" } = await first.sent("hello");
    const quoted = { messageId, networkId };
    await exchange(server, first, quoted, "first");

    first.kill();
    await vi.waitUntil(() => !isOnline(), patience);
    await expect(send("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });
    const second = run(url);
    await vi.waitUntil(isOnline, patience);
    second.say("said first", [{ type: "text", data: { text: "told again" } }]);
    await exchange(server, second, quoted, "after a restart of the bot");

    await restart();
    await vi.waitUntil(isOnline, patience);
    second.say("said first", [{ type: "text", data: { text: "told again" } }]);
    await exchange(server, second, quoted, "after a restart of the server");
    expect(await messages()).toHaveLength(7);
  });
});
