import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createFsBlobs } from "@telex/blobs/fs";
import { createOneBotImplementation } from "@telex/bot-onebot/implementation";
import { createTelex, operator, type SegmentInput } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serve } from "@telex/http";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { freePort } from "test-support/port";
import { smallPicture } from "./picture.ts";

const patience = { timeout: 20_000, interval: 20 };
const line = z.looseObject({ kind: z.string() });

/** A bot of a framework, and what it has printed. */
export function runFramework(command: string, args: readonly string[]) {
  const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof line>[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => {
    // A framework may log to its output, too.
    if (text.startsWith("{")) lines.push(line.parse(JSON.parse(text)));
  });
  return {
    /** Waits for a line with these fields, for the `count`th of them. */
    seen: (fields: Record<string, unknown>, count = 1) =>
      vi.waitUntil(
        () => lines.filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value))[count - 1],
        patience,
      ),
    kill: async () => {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A framework that a test has started. */
export type Framework = ReturnType<typeof runFramework>;

/** A server on a file, which can be started again. */
async function startServer(file: string, port: number) {
  let address = "";
  const implementation = createOneBotImplementation({ baseUrl: () => address });
  const telex = await createTelex({
    storage: await createSqliteStorage({ file }),
    blobs: createFsBlobs({ directory: `${file}.blobs` }),
    images: createSharpEngine(),
    plugins: [implementation.plugin],
  });
  const serving = await serve({ telex, http: createHttp(telex), ws: [createWs(telex), implementation], port });
  address = serving.url;
  onTestFinished(() => serving.close(0));
  return { telex, ...serving };
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** A person in a room, who says things and reads what is said. */
const personIn = async ({ telex }: Server, token: string, groupId: number) => {
  const caller = await telex.authenticate(token);
  if (caller.kind !== "token") throw new Error("The token has ended.");
  const newest = async () => {
    const { groupMessages } = await telex.messages.history(caller, { groupId, groupType: 1, pageSize: 1 });
    return groupMessages[0]?.content ?? "";
  };
  const say = (message: string | SegmentInput[]) => telex.messages.send(caller, { groupId, groupType: 1, message });
  return {
    say,
    /** Says something, and waits for a message that has this in it. */
    async ask(message: string | SegmentInput[], answer: string) {
      await say(message);
      await vi.waitUntil(async () => (await newest()).includes(answer), patience);
      return newest();
    },
    async upload(name: string, bytes: Uint8Array) {
      const stream = (async function* () {
        yield bytes;
      })();
      return (await telex.bucket.upload(caller, { file: { name, mime: "", bytes: stream } })).file_id;
    },
    recall: (messageId: number) => telex.call("messages.recall", caller, { groupId, messageId }),
  };
};

/** A room with Alice and a bot, on a server that can be started again. */
export async function startRoom() {
  const folder = await mkdtemp(join(tmpdir(), "telex-framework-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, port] = [join(folder, "telex.db"), await freePort()];
  let server = await startServer(file, port);
  const { users, tokens, groups } = server.telex.operator;
  const alice = await users.add(operator, { nickname: "Alice" });
  const bot = await users.add(operator, { nickname: "Helper" });
  const issue = async (userId: number) => (await tokens.issue(operator, { userId, scopes: ["chat"] })).token;
  const [aliceToken, botToken] = [await issue(alice.id), await issue(bot.id)];
  const { groupId } = await groups.add(operator, { groupType: 1, name: "Room", members: [alice.id, bot.id] });
  return {
    groupId,
    botId: String(bot.id),
    botToken,
    at: (version: 11 | 12) => `ws://127.0.0.1:${port}/external/api/v1/onebot/v${version}`,
    /** Lets the bot's user act through a framework. */
    allow: (oneBot: object) => users.amend(operator, { id: bot.id, oneBot }),
    alice: () => personIn(server, aliceToken, groupId),
    /** Stops the server; `begin` starts it again. */
    restart: async () => {
      await server.close(0);
      return { begin: async () => void (server = await startServer(file, port)) };
    },
  };
}

type TestRoom = Awaited<ReturnType<typeof startRoom>>;

const file = (file_id: string, name: string): SegmentInput => ({ type: "file", data: { file_id, name } });
const image = (file_id: string): SegmentInput => ({ type: "image", data: { file_id } });
const text = (said: string): SegmentInput => ({ type: "text", data: { text: said } });

/**
 * Text, a mention, a quote, a picture and a file, each in both directions: the framework sends them, and sends a picture and a file
 * again that it has received. It does so `when` this is: only then does it see this text.
 */
async function tryMessages({ alice, botId }: TestRoom, framework: Framework, when: string): Promise<void> {
  const person = await alice();
  expect(await person.ask(`/echo ${when}`, `"${when}"`)).toBe(`[{"text":{"text":"${when}"}}]`);
  expect(await person.ask("/quote", "quoted")).toMatch(
    /^\[\{"reply":.*\{"at":\{"ext":"","name":"Alice","userId":"\d+"\}\}/,
  );
  expect(await person.ask("/image", '"image"')).toContain('"file_size":"69"');
  expect(await person.ask("/file", '"file"')).toContain("tea.txt");
  const fileId = await person.upload("a.txt", Buffer.from("tea for two"));
  expect(await person.ask([text("/again"), file(fileId, "a.txt")], '[{"file"')).toContain("a.txt");
  const imageId = await person.upload("a.png", await smallPicture());
  expect(await person.ask([text("/again"), image(imageId)], '[{"image"')).toContain(imageId);
  const mention = await person.say([{ type: "at", data: { ext: botId } }, text(` you ${when}`)]);
  await framework.seen({ kind: "message", to_me: true, text: `you ${when}` });
  await person.say([{ type: "reply", data: { messageId: mention.messageId } }, text("I mean you")]);
  await framework.seen({ kind: "message", text: "I mean you", quote: String(mention.messageId) });
}

/** The plug-ins of every framework: all kinds of messages, recall and members. */
export async function tryPlugins(room: TestRoom, framework: Framework): Promise<void> {
  const { groupId } = room;
  await tryMessages(room, framework, "first");
  const person = await room.alice();
  await person.ask("/recall", "[消息已撤回]");
  expect(await person.ask("/members", "Alice")).toContain("Alice,Helper");
  const { messageId } = await person.say("gone");
  expect(await person.recall(messageId)).toMatchObject({ groupId });
  await framework.seen({ kind: "recalled" });
}

/** The framework connects again after its own restart, and after one of the server, and sends and receives as before. */
export async function tryRestarts(room: TestRoom, first: Framework, begin: () => Framework): Promise<void> {
  await first.kill();
  const again = begin();
  await again.seen({ kind: "connected" });
  await tryMessages(room, again, "after a restart of the bot");
  const stopped = await room.restart();
  await again.seen({ kind: "disconnected" });
  await stopped.begin();
  await again.seen({ kind: "connected" }, 2);
  await tryMessages(room, again, "after one of the server");
}
