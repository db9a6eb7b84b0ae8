import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { operator, type SegmentInput } from "@telex/core";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { install, type InstalledServer, type ServerCount } from "./installation.ts";
import { patience, personIn } from "./person.ts";
import { smallPicture } from "./picture.ts";

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
  const all = (fields: Record<string, unknown>) =>
    lines.filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
  return {
    /** The lines with these fields until now. */
    all,
    /** Waits for a line with these fields, for the `count`th of them. */
    seen: (fields: Record<string, unknown>, count = 1) => vi.waitUntil(() => all(fields)[count - 1], patience),
    kill: async () => {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A framework that a test has started. */
export type Framework = ReturnType<typeof runFramework>;

/** A room with Alice and a bot, on servers that can be ended and started again. */
export async function startRoom(count: ServerCount) {
  const { url, servers, operator: operate } = await install(count);
  const { users, tokens, groups } = operate();
  const alice = await users.add(operator, { nickname: "Alice" });
  const bot = await users.add(operator, { nickname: "Helper" });
  const issue = async (userId: number) => (await tokens.issue(operator, { userId, scopes: ["chat"] })).token;
  const [token, botToken] = [await issue(alice.id), await issue(bot.id)];
  const { groupId } = await groups.add(operator, { groupType: 1, name: "Room", members: [alice.id, bot.id] });
  return {
    groupId,
    servers,
    botId: String(bot.id),
    botToken,
    at: (version: 11 | 12) => `${url.replace("http", "ws")}/external/api/v1/onebot/v${version}`,
    /** Lets the bot's user act through a framework. */
    allow: (oneBot: object) => operate().users.amend(operator, { id: bot.id, oneBot }),
    alice: personIn({ url, token, groupId, groupType: 1 }),
  };
}

type TestRoom = Awaited<ReturnType<typeof startRoom>>;

const file = (file_id: string, name: string): SegmentInput => ({ type: "file", data: { file_id, name } });
const image = (file_id: string): SegmentInput => ({ type: "image", data: { file_id } });
const text = (said: string): SegmentInput => ({ type: "text", data: { text: said } });

const probe = "Are you there without";
/** What the framework has heard, without the probes: those come to it or not. */
const heardBy = (framework: Framework): number =>
  framework.all({ kind: "message" }).filter(({ text: heard }) => !String(heard).startsWith(probe)).length;

/** What {@link tryMessages} says, and what comes of it in the room. */
const [saidMessages, allMessages] = [8, 14];

/**
 * Text, a mention, a quote, a picture and a file, each in both directions: the framework sends them, and sends a picture and a file
 * again that it has received. It does so `when` this is: only then does it see this text. Nothing is lost, and nothing comes twice.
 */
async function tryMessages({ alice: person, botId }: TestRoom, framework: Framework, when: string): Promise<void> {
  const [heardBefore, [newest]] = [heardBy(framework), await person.history(1)];
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
  await person.say([{ type: "reply", data: { messageId: mention.messageId } }, text(`I mean you ${when}`)]);
  await framework.seen({ kind: "message", text: `I mean you ${when}`, quote: String(mention.messageId) });
  const isNew = ({ messageId }: { readonly messageId: number }): boolean => messageId > (newest?.messageId ?? 0);
  expect(heardBy(framework) - heardBefore).toBe(saidMessages);
  expect((await person.history()).filter(isNew)).toHaveLength(allMessages);
}

/** The plug-ins of every framework: all kinds of messages, recall and members. */
export async function tryPlugins(room: TestRoom, framework: Framework): Promise<void> {
  const { groupId, alice: person } = room;
  await tryMessages(room, framework, "first");
  await person.ask("/recall", "[消息已撤回]");
  expect(await person.ask("/members", "Alice")).toContain("Alice,Helper");
  const { messageId } = await person.say("gone");
  expect(await person.recall(messageId)).toMatchObject({ groupId });
  await framework.seen({ kind: "recalled" });
}

/** Ends the server that has the framework's connection, and returns it. Others are started again. */
async function endItsServer({ servers, alice }: TestRoom, framework: Framework): Promise<InstalledServer> {
  const isCut = (): boolean => framework.all({ kind: "disconnected" }).length > 0;
  for (const server of servers) {
    await server.end();
    const question = `${probe} ${server.name}?`;
    // The only server cannot take it. Of several, the balancer may still choose the one that has ended: then it is said again.
    const said = servers.length === 1 ? null : alice.say(question);
    await vi.waitUntil(() => isCut() || framework.all({ kind: "message", text: question }).length > 0, patience);
    await said;
    if (isCut()) return server;
    await server.begin();
  }
  return expect.unreachable("No server has the connection.");
}

/** The framework connects again after its own restart, and after the end of its server, and sends and receives as before. */
export async function tryRestarts(room: TestRoom, first: Framework, begin: () => Framework): Promise<void> {
  await first.kill();
  const again = begin();
  await again.seen({ kind: "connected" });
  await tryMessages(room, again, "after a restart of the bot");
  const ended = await endItsServer(room, again);
  // One of several is not needed for that.
  const begun = room.servers.length === 1 ? ended.begin() : Promise.resolve();
  // If Telex connects to the framework, another server does so when the lease of the killed one has ended, 40 s later at most.
  await again.seen({ kind: "connected" }, 2);
  await begun;
  await tryMessages(room, again, "after the end of a server");
}
