import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createOneBotImplementation } from "@telex/bot-onebot/implementation";
import { createTelex, operator, type SegmentInput } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serve } from "@telex/http";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { foreign } from "./support/cache.ts";
import { pythonProgram } from "./support/python.ts";

const patience = { timeout: 60_000, interval: 50 };
const line = z.looseObject({ kind: z.string() });

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** A bot of NoneBot, and what it has seen. */
function runBot(version: 11 | 12, mode: "forward" | "reverse", where: string, token: string) {
  const program = join(foreign, "onebot-nonebot", "main.py");
  const child = spawn(pythonProgram("python"), [program, String(version), mode, where, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof line>[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => lines.push(line.parse(JSON.parse(text))));
  return {
    lines,
    told: (fields: Record<string, unknown>, count = 1) =>
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

/** A server on a file, which can be started again. */
async function start(file: string, port: number) {
  let address = "";
  const implementation = createOneBotImplementation({ baseUrl: () => address });
  const telex = await createTelex({
    storage: await createSqliteStorage({ file }),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins: [implementation.plugin],
  });
  const serving = await serve({ telex, http: createHttp(telex), ws: [createWs(telex), implementation], port });
  address = serving.url;
  onTestFinished(() => serving.close(0));
  return { telex, ...serving };
}

type Server = Awaited<ReturnType<typeof start>>;

/** A person in a room, who says things and reads what is said. */
const personIn = async ({ telex }: Server, token: string, groupId: number) => {
  const caller = await telex.authenticate(token);
  if (caller.kind !== "token") throw new Error("The token has ended.");
  const said = async (count = 1) => {
    const { groupMessages } = await telex.messages.history(caller, { groupId, groupType: 1, pageSize: count });
    return groupMessages.map(({ content }) => content);
  };
  return {
    say: (message: string | SegmentInput[]) => telex.messages.send(caller, { groupId, groupType: 1, message }),
    /** Says something, and waits for a message that has this in it. */
    ask: async (message: string | SegmentInput[], answer: string) => {
      await telex.messages.send(caller, { groupId, groupType: 1, message });
      await vi.waitUntil(async () => (await said())[0]?.includes(answer), patience);
      return (await said())[0];
    },
    upload: async (name: string, bytes: Uint8Array) => {
      const stream = (async function* () {
        yield bytes;
      })();
      return (await telex.bucket.upload(caller, { file: { name, mime: "", bytes: stream } })).file_id;
    },
  };
};

describe.each([
  [11, "forward"],
  [12, "reverse"],
] as const)("NoneBot with OneBot %i, %s", (version, mode) => {
  it("runs its plug-ins in a room of Telex, also after a restart of either side", async () => {
    const folder = await mkdtemp(join(tmpdir(), "telex-nonebot-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "telex.db");
    const [port, botPort] = [await freePort(), await freePort()];
    const first = await start(file, port);
    const { users, tokens, groups } = first.telex.operator;
    const alice = await users.add(operator, { nickname: "Alice" });
    const bot = await users.add(operator, { nickname: "Helper" });
    const issue = async (userId: number) => (await tokens.issue(operator, { userId, scopes: ["chat"] })).token;
    const [aliceToken, botToken] = [await issue(alice.id), await issue(bot.id)];
    const { groupId } = await groups.add(operator, { groupType: 1, name: "Room", members: [alice.id, bot.id] });
    const connect = `ws://127.0.0.1:${botPort}/onebot/v12/ws`;
    const oneBot = mode === "forward" ? {} : { connect, secret: "s3cret", protocol: version };
    const begin = () =>
      mode === "forward"
        ? runBot(version, mode, `ws://127.0.0.1:${port}/external/api/v1/onebot/v${version}`, botToken)
        : runBot(version, mode, String(botPort), "s3cret");

    await users.amend(operator, { id: bot.id, oneBot: {} });
    const nonebot = begin();
    await nonebot.told({ kind: "started" });
    await users.amend(operator, { id: bot.id, oneBot });
    const connected = await nonebot.told({ kind: "connected" });
    expect(connected).toMatchObject({ self: String(bot.id), name: "Helper" });
    expect(z.array(z.coerce.number()).parse(connected["groups"])).toEqual([groupId]);
    const person = await personIn(first, aliceToken, groupId);
    expect(await person.ask("/echo hello", '"hello"')).toBe('[{"text":{"text":"hello"}}]');
    expect(await person.ask("/quote", "quoted")).toMatch(/^\[\{"reply":.*\{"at":\{"ext":"\d+","name":"Alice"\}\}/);
    expect(await person.ask("/image", '"image"')).toContain('"file_size":"69"');
    expect(await person.ask("/file", '"file"')).toContain("tea.txt");
    await person.ask("/recall", "[消息已撤回]");
    expect(await person.ask("/members", "Alice")).toContain("Alice,Helper");
    if (version === 11) expect(await person.ask("/history", "Alice,Helper")).toContain("Alice,Helper,/history");
    await person.ask("/wrong", version === 11 ? "ActionFailed" : "UnsupportedAction");
    const file_id = await person.upload("a.txt", Buffer.from("tea for two"));
    const mention: SegmentInput = { type: "at", data: { ext: String(bot.id) } };
    await person.ask(
      [
        { type: "text", data: { text: "/again" } },
        { type: "file", data: { file_id, name: "a.txt" } },
      ],
      '"file"',
    );
    await person.say([mention, { type: "text", data: { text: " you" } }]);
    expect(await nonebot.told({ kind: "message", to_me: true })).toMatchObject({ text: "you" });
    const { messageId } = await person.say("gone");
    const caller = await first.telex.authenticate(aliceToken);
    await first.telex.call("messages.recall", caller, { groupId, messageId });
    await nonebot.told({
      kind: "notice",
      name: version === 11 ? "notice.group_recall" : "notice.group_message_delete.recall",
    });

    await nonebot.kill();
    const again = begin();
    await again.told({ kind: "connected" });
    await person.ask("/echo after a restart of the bot", '"after a restart of the bot"');

    await first.close(0);
    await again.told({ kind: "disconnected" });
    const second = await start(file, port);
    await again.told({ kind: "connected" }, 2);
    const later = await personIn(second, aliceToken, groupId);
    await later.ask("/echo after a restart of the server", '"after a restart of the server"');
  }, 180_000);
});
