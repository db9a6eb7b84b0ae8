import { type ChatModel, echoModel, operator } from "@telex/core";
import { createManualClock, createMemoryNetwork, type Person } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type Client,
  messageOf,
  open,
  type Running,
  segmentsOf,
  startTelex,
  type StartOptions,
  textOf,
  textTo,
} from "./harness.ts";

/** A model with answers of the test, which records its requests. */
function createScripted(answer: (content: string) => string | Error | Promise<string>) {
  const shown: string[][] = [];
  const model: ChatModel = {
    ...echoModel,
    async *reply({ messages, maxOutputTokens, signal }) {
      shown.push(messages.map(({ role, content }) => `${role}: ${content}`));
      const said = await answer(messages.at(-1)?.content ?? "");
      if (said instanceof Error) throw said;
      yield { kind: "delta", delta: said };
      yield* echoModel.reply({ messages: [], maxOutputTokens, signal });
    },
  };
  return { model, shown };
}

interface Scene extends Running {
  readonly alice: Person;
  readonly bob: Person;
  readonly groupId: number;
  /** Alice's connection. */
  readonly client: Client;
  /** Bob's connection. */
  readonly watcher: Client;
  /** Sends a message as Alice; resolves with the answer to that command. */
  say(text: string, more?: object): Promise<unknown>;
  /** Adds a model to the room. */
  join(nickname: string, more?: { readonly ai?: string; readonly ext?: string }): Promise<number>;
  /** The next messages that Bob gets. */
  heard(count: number): Promise<string[]>;
}

interface SceneOptions extends StartOptions {
  readonly models?: Readonly<Record<string, ChatModel>>;
  readonly groupType?: number;
}

async function scene({
  models = { echo: echoModel },
  groupType = 1,
  plugins = [],
  ...options
}: SceneOptions = {}): Promise<Scene> {
  const plugin = { name: "models", models: new Map(Object.entries(models)) };
  const running = await startTelex({ locale: "en", plugins: [plugin, ...plugins], ...options });
  const alice = await running.user("Alice");
  const bob = await running.user("Bob");
  const groupId = await running.group([alice, bob], groupType);
  const client = await open(running.url(alice.token));
  const watcher = await open(running.url(bob.token));
  return {
    ...running,
    alice,
    bob,
    groupId,
    client,
    watcher,
    async say(text, more = {}) {
      client.send({ ...textTo(groupId, text), groupType, ...more });
      for (;;) {
        const frame = await client.next();
        if (frame.type !== "GroupMessage") return frame;
      }
    },
    async join(nickname, { ai = "echo", ext } = {}) {
      const { id } = await running.telex.operator.users.add(operator, { nickname, ai, ext });
      await running.telex.operator.groups.amendMembers(operator, { groupId, add: [id] });
      return id;
    },
    async heard(count) {
      const texts: string[] = [];
      while (texts.length < count) {
        const frame = await watcher.next();
        texts.push(`${messageOf(frame).nickname}: ${textOf(frame)}`);
      }
      return texts;
    },
  };
}

const at = (ext: string) => [
  { type: "at", data: { ext } },
  { type: "text", data: { text: "are you there?" } },
];

const limit = ({ telex }: Running, { id }: Person, max: number) =>
  telex.operator.quota.assign(operator, { userId: id, unit: "count", max, period: "daily" });

const usedBy = async ({ telex }: Running, { token }: Person) =>
  (await telex.ai.quota(await telex.authenticate(token), {})).messageCount;

const line = z.object({ from: z.string(), text: z.string() });

/** The messages of the room that a model got before the question. */
function toldTo(shown: readonly string[] = []): string[] {
  const block = shown.find((said) => said.startsWith("user: <room>")) ?? "";
  const lines = block.split("\n").slice(2, -1);
  return lines.map((written) => line.parse(JSON.parse(written))).map(({ from, text }) => `${from}: ${text}`);
}

describe("a user that is a model, in a room", () => {
  it("answers anyone who mentions it in a text, as a member like any other", async () => {
    const here = await scene();
    const { telex, client, watcher, groupId, bob } = here;
    const id = await here.join("回声");
    client.send(textTo(groupId, "@回声 你好"));
    const result = await client.next();
    const answer = messageOf(await client.next());
    expect(result).toMatchObject({ type: "SendMessageResult", code: 200 });
    const asked = messageOf(await watcher.next());
    expect(answer).toMatchObject({
      userId: `${id}`,
      nickname: "回声",
      nicknamePinyin: "hui2 sheng1",
      avatar: `/api/avatar/get/personal?id=${id}`,
      type: 0,
    });
    expect(segmentsOf(answer)).toEqual([
      { reply: { id: "", messageId: asked.id } },
      { text: { text: "Alice: @回声 你好" } },
    ]);
    expect(answer.pinyin).toContain("ni3 hao3");
    expect(messageOf(await watcher.next())).toEqual(answer);
    const history = await telex.messages.history(await telex.authenticate(bob.token), { groupId, groupType: 1 });
    expect(history.groupMessages[0]).toEqual(answer);
  });

  it("answers anyone who mentions it by its ID of the external network, but not a person who mentions everybody", async () => {
    const here = await scene();
    await here.join("Echo", { ext: "7001" });
    await here.join("Everybody", { ext: "all" });
    await here.say("", { message: at("all") });
    await here.say("", { message: at("7001") });
    expect(await here.heard(3)).toEqual([
      "Alice: are you there?",
      "Alice: are you there?",
      "Echo: Alice: @Echo are you there?",
    ]);
  });

  it("says nothing if it is not mentioned, or in a room that it is not a member of", async () => {
    const { model, shown } = createScripted(() => "here");
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    await here.telex.operator.users.add(operator, { nickname: "Stranger", ai: "scripted" });
    for (const text of ["Bot?", "@Bob hi", "@bot hi", "@Botany", "me@Bot.example", "@Stranger hi"])
      await here.say(text);
    await here.say("@Bot!");
    expect((await here.heard(8)).at(-1)).toBe("Bot: here");
    expect(shown).toHaveLength(1);
  });

  it("answers under the card that it has in the room", async () => {
    const here = await scene();
    const id = await here.join("Echo");
    await here.telex.operator.groups.card(operator, { groupId: here.groupId, userId: id, card: "Dr. E (回声)" });
    await here.say("@Dr. E (回声), please");
    expect((await here.heard(2))[1]).toBe("Echo: Alice: @Dr. E (回声), please");
  });

  it("answers in a room of an external network through its bot", async () => {
    const network = createMemoryNetwork();
    const here = await scene({ groupType: 0, plugins: [{ name: "bot", gateways: [network.gateway] }] });
    await here.join("Echo");
    await here.say("@Echo out there");
    expect(await here.heard(2)).toEqual(["Alice: @Echo out there", "Echo: Alice: @Echo out there"]);
    expect(network.sent.map(({ parts }) => parts)).toEqual([
      [{ kind: "text", text: "@Echo out there" }],
      [
        { kind: "reply", messageId: "m-1" },
        { kind: "text", text: "Alice: @Echo out there" },
      ],
    ]);
  });

  it("begins and ends to answer when the operator says so", async () => {
    const { model, shown } = createScripted(() => "yes");
    const here = await scene({ models: { scripted: model } });
    const id = await here.join("Carol");
    const amend = (ai: string | null) => here.telex.operator.users.amend(operator, { id, ai });
    await amend(null);
    await here.say("@Carol 1");
    await amend("scripted");
    await here.say("@Carol 2");
    expect(await here.heard(3)).toEqual(["Alice: @Carol 1", "Alice: @Carol 2", "Carol: yes"]);
    await amend(null);
    await here.say("@Carol 3");
    await amend("scripted");
    await here.say("@Carol 4");
    expect(await here.heard(3)).toEqual(["Alice: @Carol 3", "Alice: @Carol 4", "Carol: yes"]);
    expect(shown.map((said) => said.at(-1))).toEqual(["user: Alice: @Carol 2", "user: Alice: @Carol 4"]);
  });

  it("is shown the messages of the room, its own among them, with what is not text as a word", async () => {
    const { model, shown } = createScripted(() => "noted");
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted", ext: "7001" });
    for (let number = 1; number < 45; number += 1) await here.say(`number ${number}`);
    const bytes = (async function* () {
      yield Buffer.from("notes");
    })();
    const caller = await here.telex.authenticate(here.alice.token);
    const file = { name: "notes.txt", mime: "text/plain", bytes };
    const { file_id } = await here.telex.bucket.upload(caller, { file });
    await here.say("", { message: [{ type: "file", data: { file_id } }] });
    await here.say("@Bot first");
    await here.heard(47);
    await here.say("", { message: at("7001") });
    await here.heard(2);
    const numbers = Array.from({ length: 44 }, (_, index) => `Alice: number ${index + 1}`);
    expect(toldTo(shown[0])).toEqual([...numbers, "Alice: [file]"]);
    expect(shown[0]?.at(-1)).toBe("user: Alice: @Bot first");
    expect(toldTo(shown[1]).slice(-3)).toEqual(["Alice: [file]", "Alice: @Bot first", "Bot: noted"]);
    expect(shown[1]?.at(-1)).toBe("user: Alice: @Bot are you there?");
  });

  it("answers in order, one after the other, and knows then what it has answered before", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, shown } = createScripted(async (content) => {
      await gate.promise;
      return `re ${content.slice(-1)}`;
    });
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    for (const text of ["@Bot 1", "@Bot 2", "@Bot 3"]) await here.say(text);
    expect(await here.heard(3)).toHaveLength(3);
    gate.resolve();
    expect(await here.heard(3)).toEqual(["Bot: re 1", "Bot: re 2", "Bot: re 3"]);
    expect(toldTo(shown[1])).toEqual(["Alice: @Bot 1", "Bot: re 1"]);
    expect(shown[1]?.at(-1)).toBe("user: Alice: @Bot 2");
  });

  it("answers a repeated message once", async () => {
    const { model, shown } = createScripted(() => "once");
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    await here.say("@Bot go", { nonce: "n" });
    await here.say("@Bot go", { nonce: "n" });
    await here.say("@Bot end", { nonce: "m" });
    await here.heard(4);
    expect(shown.map((said) => said.at(-1))).toEqual(["user: Alice: @Bot go", "user: Alice: @Bot end"]);
  });

  it("cuts a long answer between characters, and sends its parts in order", async () => {
    const family = "👨‍👩‍👧‍👦";
    const { model } = createScripted(() => `${"a".repeat(9999)}${family}${"b".repeat(9999)}c`);
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    await here.say("@Bot draw");
    const asked = messageOf(await here.watcher.next());
    const parts = [await here.watcher.next(), await here.watcher.next(), await here.watcher.next()];
    expect(parts.map(textOf)).toEqual(["a".repeat(9999), `${family}${"b".repeat(9993)}`, "bbbbbbc"]);
    for (const part of parts) expect(segmentsOf(messageOf(part))[0]).toMatchObject({ reply: { messageId: asked.id } });
  });
});

describe("the quota of an answer in a room", () => {
  it("is that of who asks", async () => {
    const here = await scene();
    await here.join("Echo");
    await limit(here, here.bob, 0);
    await here.say("@Echo hello");
    await here.heard(2);
    expect(await usedBy(here, here.alice)).toBe(1);
    expect(await usedBy(here, here.bob)).toBe(0);
  });

  it("that has one left is enough for one of two models that are asked simultaneously", async () => {
    const here = await scene();
    await here.join("One");
    await here.join("Two");
    await limit(here, here.alice, 1);
    await here.say("@One and @Two");
    const [, ...answers] = await here.heard(3);
    expect(answers.filter((text) => text.endsWith("Alice: @One and @Two"))).toHaveLength(1);
    expect(answers.filter((text) => text.includes("quota of this period is used up"))).toHaveLength(1);
    expect(await usedBy(here, here.alice)).toBe(1);
  });
});

describe("what goes wrong with an answer in a room", () => {
  it("is told there in the language of the installation, once a minute", async () => {
    const { model } = createScripted((content) => (content.endsWith("fail") ? new Error("down") : "fine"));
    const clock = createManualClock();
    // With a clock that jumps, no client would answer pings in time.
    const limits = { pingInterval: 3_600_000 };
    const here = await scene({ locale: "zh-CN", clock, ws: { limits }, models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    for (const text of ["@Bot fail", "@Bot fail", "@Bot now?"]) await here.say(text);
    const first = await here.heard(5);
    expect(first.filter((text) => text.startsWith("Bot: "))).toEqual([
      "Bot: AI 模型暂无响应,请稍后再试。",
      "Bot: fine",
    ]);
    await clock.advance(60_000);
    await here.say("@Bot fail");
    expect((await here.heard(2))[1]).toBe("Bot: AI 模型暂无响应,请稍后再试。");
  });

  it("is never told in the words of a provider", async () => {
    const { model } = createScripted(() => new Error("the key sk-1 is wrong"));
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    await here.say("@Bot hello");
    expect((await here.heard(2))[1]).toBe("Bot: The AI model does not respond. Try again later.");
  });

  it("may be that there is no such model", async () => {
    const here = await scene();
    await here.join("Ghost", { ai: "gpt-9" });
    await here.say("@Ghost hello");
    expect((await here.heard(2))[1]).toBe('Ghost: There is no model "gpt-9".');
  });

  it("may be that too much waits for an answer", async () => {
    const gate = Promise.withResolvers<void>();
    const { model } = createScripted(async () => {
      await gate.promise;
      return "done";
    });
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    for (let number = 1; number <= 11; number += 1) await here.say(`@Bot ${number}`);
    const before = await here.heard(12);
    expect(before.filter((text) => text.includes("busy"))).toHaveLength(1);
    gate.resolve();
    expect(await here.heard(8)).toEqual(Array.from({ length: 8 }, () => "Bot: done"));
  });

  it("does not concern the next one", async () => {
    let down = true;
    const { model } = createScripted(() => (down ? new Error("down") : "up again"));
    const here = await scene({ models: { scripted: model } });
    await here.join("Bot", { ai: "scripted" });
    await here.say("@Bot?");
    await here.heard(2);
    down = false;
    await here.say("@Bot?");
    expect((await here.heard(2))[1]).toBe("Bot: up again");
  });
});

describe("models in one room", () => {
  it("both answer a message that mentions both, and never each other", async () => {
    const { model, shown } = createScripted(() => "@A @B @C what do you think?");
    const here = await scene({ models: { scripted: model } });
    for (const name of ["A", "B"]) await here.join(name, { ai: "scripted" });
    await here.say("@A @B begin");
    expect((await here.heard(3)).slice(1).toSorted()).toEqual([
      "A: @A @B @C what do you think?",
      "B: @A @B @C what do you think?",
    ]);
    await here.say("@B again");
    await here.heard(2);
    await here.say("@A again");
    await here.heard(2);
    expect(shown).toHaveLength(4);
  });
});

describe("sending", () => {
  it("does not wait for the answer, nor does another model", async () => {
    const gate = Promise.withResolvers<string>();
    const { model } = createScripted(() => gate.promise);
    const here = await scene({ models: { slow: model, echo: echoModel } });
    await here.join("Slow", { ai: "slow" });
    await here.join("Echo");
    expect(await here.say("@Slow @Echo hello")).toMatchObject({ type: "SendMessageResult", code: 200 });
    expect(await here.heard(2)).toEqual(["Alice: @Slow @Echo hello", "Echo: Alice: @Slow @Echo hello"]);
    gate.resolve("at last");
    expect(await here.heard(1)).toEqual(["Slow: at last"]);
  });

  it("of what a model has said so far is not lost when the server stops", async () => {
    const stored: string[] = [];
    const model: ChatModel = {
      ...echoModel,
      async *reply({ signal }) {
        yield { kind: "delta", delta: "half of it" };
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      },
    };
    const here = await scene({
      models: { endless: model },
      wrap: (storage) => ({
        ...storage,
        messages: {
          ...storage.messages,
          append(append) {
            stored.push(append.message.content);
            return storage.messages.append(append);
          },
        },
      }),
    });
    await here.join("Bot", { ai: "endless" });
    await here.say("@Bot go on");
    await here.telex.close();
    expect(stored).toHaveLength(2);
    expect(stored[1]).toContain("half of it");
  });
});
