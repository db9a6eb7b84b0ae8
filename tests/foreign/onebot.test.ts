import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { operator } from "@telex/core";
import { TelexClientError } from "@telex/http/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { goProgram } from "./support/go.ts";
import { install, type ServerCount, serverCounts } from "./support/installation.ts";
import { pollOptions, personIn } from "./support/person.ts";
import { smallPicture } from "./support/picture.ts";

const secret = "a-secret";

/** Servers with a room of the network's group 500, and Alice in it, who is an operator. */
async function start(count: ServerCount) {
  const { url, servers, operator: operate } = await install(count);
  const { users, tokens, groups } = operate();
  const alice = await users.add(operator, { nickname: "Alice" });
  const { token } = await tokens.issue(operator, { userId: alice.id, scopes: ["chat", "admin"] });
  const fields = { groupType: 4, ext: "500", bot: "bot-1" } as const;
  const { groupId } = await groups.add(operator, { ...fields, name: "Out", members: [alice.id] });
  const person = personIn({ url, token, groupId, groupType: 4 });
  const { bots } = person.client.operator;
  await bots.add({ account: "bot-1", secret, minInterval: 0 });
  /** The server with the bot's connection; null while the bot is offline or no server answers. */
  const serverNow = async (): Promise<string | null> => {
    const [bot] = await bots.list().catch(() => []);
    return bot?.online === true ? bot.server : null;
  };
  return {
    url: `${url.replace("http", "ws")}/onebot`,
    person,
    isOnline: async () => (await serverNow()) !== null,
    /** False also while no server answers, because the bot may still be online. */
    isOffline: async () => (await bots.list().catch(() => null))?.every(({ online }) => !online) === true,
    /** Kills the server with the bot's connection. Resolves when the bot is online again. */
    endItsServer: async () => {
      const before = await serverNow();
      const [only, ...others] = servers;
      const server = others.length === 0 ? only : servers.find(({ name }) => name === before);
      await server?.end();
      if (others.length === 0) await only?.begin();
      const isBack = async (): Promise<boolean> => {
        const now = await serverNow();
        return now !== null && (others.length === 0 || now !== before);
      };
      await vi.waitUntil(isBack, pollOptions);
    },
    messages: async () =>
      (await person.history()).map(({ userId, nickname, content }) => ({
        userId,
        nickname,
        content: JSON.parse(content) as unknown,
      })),
  };
}

const part = z.looseObject({ data: z.looseObject({ text: z.string().optional() }) });
const printed = z.looseObject({ id: z.string().optional(), sent: z.array(part).optional() });

/** The program, and the messages that it was asked to send. */
function run(url: string) {
  const child = spawn(goProgram("onebot-go"), [url, secret, "9000"], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: z.output<typeof printed>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(printed.parse(JSON.parse(line))));
  return {
    lines,
    /** Waits until the bot was asked to send a message with this text. */
    sent: (text: string) =>
      vi.waitUntil(() => lines.find(({ sent = [] }) => JSON.stringify(sent).includes(`"${text}"`)), pollOptions),
    kill: () => child.kill("SIGKILL"),
    say: (id: string, message: readonly object[]) =>
      child.stdin.write(`${JSON.stringify({ group: "500", user: "1001", id, message })}\n`),
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** A message, with its ids on both sides. */
interface Quoted {
  readonly messageId: number;
  readonly networkId: string;
}

/** Sends text, a mention, a quote, a picture and a file, and makes the program send the same. */
async function exchange(
  { person, messages }: Server,
  program: ReturnType<typeof run>,
  { messageId, networkId }: Quoted,
  when: string,
): Promise<void> {
  const bytes = await smallPicture();
  const imageId = await person.upload("a.png", bytes);
  const fileId = await person.upload("b.txt", Buffer.from("tea for two"));
  const { length } = await messages();
  await person.say([
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
  await vi.waitUntil(async () => (await messages()).length === length + 2, pollOptions);
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

const textOf = (text: string): object => ({ type: "text", data: { text } });

/**
 * Both sides talk while something happens. Each repeats messages whose outcome is unknown. No accepted message is lost or doubled, and
 * Alice's messages keep their order.
 */
async function talkWhile(
  { person, messages }: Server,
  program: ReturnType<typeof run>,
  happens: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const [accepted, unknown, said] = [[] as string[], [] as string[], [] as string[]];
  const sayNext = async (): Promise<void> => {
    const text = `out ${accepted.length + unknown.length}`;
    try {
      await person.say(text);
      accepted.push(text);
    } catch (cause) {
      if (!(cause instanceof TelexClientError) || cause.code !== "delivery_unknown") throw cause;
      unknown.push(text);
    }
  };
  const sayIn = (text: string): unknown => program.say(text, [textOf(text)]);
  const talk = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sayNext();
      sayIn(`in ${said.push(`in ${said.length}`) - 1}`);
      await delay(20);
    }
  };
  const talking = talk();
  await vi.waitUntil(() => accepted.length >= 3, pollOptions);
  await happens().finally(() => over.abort());
  await talking;
  await sayNext();
  for (const text of said) sayIn(text);
  const told = async () => (await messages()).map(({ content }) => JSON.stringify(content));
  const stored = (text: string): string => JSON.stringify([{ text: { text } }]);
  const isAllTold = async (): Promise<boolean> => new Set(said.map(stored)).isSubsetOf(new Set(await told()));
  await vi.waitUntil(isAllTold, pollOptions);
  const sent = program.lines.flatMap(({ sent: [only] = [] }) => only?.data.text ?? []);
  expect(sent.filter((text) => accepted.includes(text))).toEqual(accepted);
  const countOf = (texts: readonly string[], text: string): number => texts.filter((one) => one === text).length;
  for (const text of unknown) expect(countOf(sent, text)).toBeLessThanOrEqual(1);
  const all = await told();
  for (const text of [...accepted, ...said]) expect([text, countOf(all, stored(text))]).toEqual([text, 1]);
  for (const text of unknown) expect(countOf(all, stored(text))).toBe(0);
}

describe.each(serverCounts(true))("an implementation of OneBot 12 made with go-libonebot, servers: %i", (count) => {
  it("sends and receives all kinds of messages, also after its own restart and the end of a server", async () => {
    const server = await start(count);
    const { url, isOnline, isOffline, person, messages, endItsServer } = server;
    await expect(person.tryToSay("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });

    const first = run(url);
    await vi.waitUntil(isOnline, pollOptions);
    const { messageId } = await person.say("hello");
    const { id: networkId = "" } = await first.sent("hello");
    const quoted = { messageId, networkId };
    await exchange(server, first, quoted, "first");
    const isStored = async (text: string): Promise<boolean> => JSON.stringify(await messages()).includes(text);
    first.say("told", [textOf("told twice")]);
    await vi.waitUntil(() => isStored("told twice"), pollOptions);
    const { length } = await messages();

    first.kill();
    await vi.waitUntil(isOffline, pollOptions);
    await expect(person.tryToSay("nobody is there")).rejects.toMatchObject({ code: "bot_offline" });
    const second = run(url);
    await vi.waitUntil(isOnline, pollOptions);
    second.say("told", [textOf("told twice")]);
    await exchange(server, second, quoted, "after a restart of the bot");
    expect(await messages()).toHaveLength(length + 2);

    await talkWhile(server, second, endItsServer);
    const before = (await messages()).length;
    for (let time = 0; time < 2; time += 1) second.say("told later", [textOf("told again")]);
    await vi.waitUntil(() => isStored("told again"), pollOptions);
    await exchange(server, second, quoted, "after the end of a server");
    expect(await messages()).toHaveLength(before + 3);
  }, 240_000);
});
