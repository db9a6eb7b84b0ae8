import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { operator, type SegmentInput } from "@telex/core";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { install, type InstalledServer, type ServerCount } from "./installation.ts";
import { pollOptions, personIn } from "./person.ts";
import { smallPicture } from "./picture.ts";

const line = z.looseObject({ kind: z.string() });

/** A bot of a framework, and its output. */
export function runFramework(command: string, args: readonly string[]) {
  const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof line>[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => {
    // A framework may log to standard output, too.
    if (text.startsWith("{")) lines.push(line.parse(JSON.parse(text)));
  });
  const all = (fields: Record<string, unknown>) =>
    lines.filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
  return {
    /** All lines so far with these fields. */
    all,
    /** Waits for the `count`th line with these fields. */
    seen: (fields: Record<string, unknown>, count = 1) => vi.waitUntil(() => all(fields)[count - 1], pollOptions),
    kill: async () => {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A framework that a test has started. */
export type Framework = ReturnType<typeof runFramework>;

/** A room with Alice and a bot, on servers that tests can kill and restart. */
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
/** The number of messages that the framework received, without probes, which may be lost. */
const heardBy = (framework: Framework): number =>
  framework.all({ kind: "message" }).filter(({ text: heard }) => !String(heard).startsWith(probe)).length;

/** The number of messages that {@link tryMessages} sends, and that the room has afterwards. */
const [saidMessages, allMessages] = [8, 14];

/**
 * Sends text, a mention, a quote, a picture and a file in each direction. The framework also sends back a picture and a file that it
 * received. It acts when it sees the text `when`. No message is lost or doubled.
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

/** The plug-ins of every framework: all kinds of messages, recalls and members. */
export async function tryPlugins(room: TestRoom, framework: Framework): Promise<void> {
  const { groupId, alice: person } = room;
  await tryMessages(room, framework, "first");
  await person.ask("/recall", "[消息已撤回]");
  expect(await person.ask("/members", "Alice")).toContain("Alice,Helper");
  const { messageId } = await person.say("gone");
  expect(await person.recall(messageId)).toMatchObject({ groupId });
  await framework.seen({ kind: "recalled" });
}

/** Kills the server with the framework's connection, and returns it. The other servers continue. */
async function endItsServer({ servers, alice }: TestRoom, framework: Framework): Promise<InstalledServer> {
  const isCut = (): boolean => framework.all({ kind: "disconnected" }).length > 0;
  for (const server of servers) {
    await server.end();
    const question = `${probe} ${server.name}?`;
    // A single server cannot receive the message. With several, the balancer may still choose the dead one, and the message is repeated.
    const said = servers.length === 1 ? null : alice.say(question);
    await vi.waitUntil(() => isCut() || framework.all({ kind: "message", text: question }).length > 0, pollOptions);
    await said;
    if (isCut()) return server;
    await server.begin();
  }
  return expect.unreachable("No server has the connection.");
}

/** The framework reconnects after its own restart and after the end of its server, and then sends and receives as before. */
export async function tryRestarts(room: TestRoom, first: Framework, begin: () => Framework): Promise<void> {
  await first.kill();
  const again = begin();
  await again.seen({ kind: "connected" });
  await tryMessages(room, again, "after a restart of the bot");
  const ended = await endItsServer(room, again);
  // With several servers, the others are enough.
  const begun = room.servers.length === 1 ? ended.begin() : Promise.resolve();
  // If Telex connects to the framework, another server does so when the lease of the killed one ends, after 40 s at most.
  await again.seen({ kind: "connected" }, 2);
  await begun;
  await tryMessages(room, again, "after the end of a server");
}
