import { describe, expect, it } from "vitest";
import { type ChatModel, operator } from "../src/index.ts";
import { echoModel } from "../src/ai/model.ts";
import type { GatewayMessage } from "../src/networks/gateway.ts";
import { createManualClock, createMemoryNetwork, ticks } from "@telex/conformance/testing";
import { textOfParts } from "@telex/conformance/testing";
import { createConnection, createKit, type KitOptions, segmentsOf } from "./kit.ts";

/** A model that answers when a test says so, and keeps what it was asked. */
function createGated() {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<string>[] = [];
  const model: ChatModel = {
    ...echoModel,
    async *reply({ messages, maxOutputTokens, signal }) {
      asked.push(messages.at(-1)?.content ?? "");
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      yield { kind: "delta", delta: await answer.promise };
      yield* echoModel.reply({ messages: [], maxOutputTokens, signal });
    },
  };
  return {
    models: new Map([["gated", model]]),
    asked,
    /** Answers what was asked last. */
    answer: async (text: string): Promise<void> => {
      answers.at(-1)?.resolve(text);
      await ticks(60);
    },
  };
}

const question = "@Ada what is tea?";

/** A room for the group 500 of a network, with Alice and Ada, who is a model. */
async function scene(options: KitOptions = {}) {
  const { models, asked, answer } = createGated();
  const network = createMemoryNetwork();
  const given: GatewayMessage[] = [];
  const gateway = {
    ...network.gateway,
    send(message: GatewayMessage) {
      given.push(message);
      return network.gateway.send(message);
    },
  };
  const kit = await createKit({ gateways: [gateway], models, ...options });
  const { telex, alice, clock } = kit;
  const ada = await telex.operator.users.add(operator, { nickname: "Ada", ai: "gated" });
  const room = { groupType: 0, name: "Out", ext: "500", members: [1, ada.id] } as const;
  const { groupId } = await telex.operator.groups.add(operator, { ...room, members: [1, ada.id] });
  const place = { groupId, groupType: 0 } as const;
  return {
    ...kit,
    network,
    given,
    asked,
    answer,
    ada: String(ada.id),
    ask: async (nonce?: string) => {
      const input = { ...place, message: question, ...(nonce !== undefined && { nonce }) };
      const { messageId } = await telex.messages.send(alice, input);
      await ticks(60);
      return messageId;
    },
    /** The network tells the account what it has said itself. */
    echo: (content: string, messageId: string) =>
      network.say({
        messageId,
        createTime: clock.now(),
        isOwn: true,
        sender: { ext: "9000", name: "bot" },
        segments: [{ type: "text", data: { text: content } }],
      }),
    sent: () => network.sent.map(({ parts }) => textOfParts(parts)),
    /** Who has said what. */
    said: async () =>
      (await telex.messages.history(alice, place)).groupMessages
        .toReversed()
        .map((message) => [message.userId, segmentsOf(message).at(-1)?.["text"]?.["text"]]),
  };
}

describe("a model in a room of an external network", () => {
  it("answers there, in reply to the question, and its echo is its own message", async () => {
    const { network, alice, telex, given, asked, answer, ada, ask, said } = await scene();
    const listener = createConnection(alice);
    await telex.listen(listener.connection, { echo: true, since: null }).ready;
    network.mood = "echo";
    await ask();
    await answer("A drink.");
    expect(asked).toEqual([`Alice: ${question}`]);
    expect(given.map(({ parts }) => parts)).toEqual([
      [{ kind: "text", text: question }],
      [
        { kind: "reply", messageId: "m-1" },
        { kind: "text", text: "A drink." },
      ],
    ]);
    expect(await said()).toEqual([
      ["1", question],
      [ada, "A drink."],
    ]);
    expect(listener.events).toHaveLength(2);
  });

  it("is asked once for a question that is repeated, before and after its answer", async () => {
    const { asked, answer, ask, said } = await scene();
    const [first, repeat] = await Promise.all([ask("n-1"), ask("n-1")]);
    await answer("A drink.");
    expect([repeat, await ask("n-1")]).toEqual([first, first]);
    expect([asked.length, (await said()).length]).toEqual([1, 2]);
  });

  it.each(["isConnected", "isOnline"] as const)(
    "whose bot is offline when it answers (%s) says nothing, also later",
    async (state) => {
      const { network, lines, answer, ask, said, sent, storage } = await scene();
      await ask();
      network[state] = false;
      await answer("A drink.");
      expect(lines.filter((line) => line.includes("ai.answer_lost"))).toEqual([expect.stringContaining("bot_offline")]);
      network[state] = true;
      await ask();
      await answer("A plant.");
      expect(sent()).toEqual([question, question, "[reply]A plant."]);
      expect((await said()).map(([, text]) => text)).toEqual([question, question, "A plant."]);
      expect(await storage.records.count("outbox")).toBe(0);
    },
  );

  it("whose answer may have arrived does not say it again, and it is stored when its echo comes", async () => {
    const { network, clock, lines, ada, answer, ask, echo, said, sent } = await scene();
    await ask();
    network.mood = "silent";
    await answer("A drink.");
    await clock.advance(30_000);
    await ticks(60);
    expect(lines.filter((line) => line.includes("ai.answer_lost"))).toEqual([
      expect.stringContaining("delivery_unknown"),
    ]);
    expect([await said(), sent()]).toEqual([[["1", question]], [question, "[reply]A drink."]]);
    expect(await echo("A drink.", "m-2")).toMatchObject({ outcome: "stored" });
    expect(await said()).toEqual([
      ["1", question],
      [ada, "A drink."],
    ]);
    expect(sent()).toHaveLength(2);
  });

  it("is asked when it is known that the network has the question, and not before", async () => {
    const { network, clock, asked, answer, ask, echo, said } = await scene();
    network.mood = "silent";
    const failed = ask("n-1").catch((error: unknown) => error);
    await ticks(60);
    await clock.advance(30_000);
    expect(await failed).toMatchObject({ code: "delivery_unknown" });
    expect([asked, await said()]).toEqual([[], []]);
    network.mood = "take";
    for (let time = 0; time < 2; time += 1) {
      await echo(question, "m-1");
      await ticks(60);
    }
    await answer("A drink.");
    await ask("n-1");
    expect(asked).toEqual([`Alice: ${question}`]);
    expect((await said()).map(([, text]) => text)).toEqual([question, "A drink."]);
  });

  it("says no more of a long answer when the network refuses a part of it", async () => {
    const clock = createManualClock();
    const { network, lines, answer, ask, said, sent } = await scene({ clock, limits: { messageText: 20 } });
    await ask();
    network.mood = "refuse";
    await answer("A drink. ".repeat(10));
    expect([sent().length, (await said()).length]).toEqual([1, 1]);
    expect(lines.filter((line) => line.includes("ai.answer_lost"))).toEqual([
      expect.stringContaining("delivery_failed"),
    ]);
  });
});
