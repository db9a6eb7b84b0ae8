import { type ChatModel, createFailover, echoModel, type FailoverOptions, TelexError } from "@telex/core";
import { createManualClock, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { clientOf } from "./openai-client.ts";
import { setup } from "./setup.ts";

/** The behaviour of a member before its first piece. */
type Beginning = "replies" | "fails" | "refuses" | "is silent" | "breaks off" | "says nothing";

const failureOf = { fails: "ai_unavailable", refuses: "invalid_request" } as const;

function createMember(name: string, does: Beginning) {
  const seen = { asked: 0, isAborted: false, canRepeat: undefined as boolean | undefined };
  const model: ChatModel = {
    ...echoModel,
    async *reply({ signal, canRepeat }) {
      seen.asked += 1;
      seen.canRepeat = canRepeat;
      signal.addEventListener("abort", () => (seen.isAborted = true));
      await Promise.resolve();
      if (does === "fails" || does === "refuses") throw new TelexError(failureOf[does], { cause: new Error(name) });
      if (does === "is silent") await new Promise(() => {});
      if (does === "says nothing") return;
      yield { kind: "delta", delta: `I am ${name}.` };
      if (does === "breaks off") throw new Error("broken");
      const usage = { promptTokens: 5, completionTokens: 3, estimated: false };
      yield { kind: "end", finishReason: "stop", usage };
    },
  };
  return { name, model, seen };
}

async function openMembers(beginnings: readonly Beginning[], options: FailoverOptions = {}) {
  const members = beginnings.map((does, index) => createMember(`member-${index + 1}`, does));
  const main = createFailover(
    members.map(({ name, model }) => [name, model] as const),
    options,
  );
  const given = await setup("in process", { telex: { models: new Map([["main", main]]) } });
  const { alice, post, telex } = given;
  const caller = await telex.authenticate(alice.token);
  const body = { model: "main", messages: [{ role: "user", content: "x" }] };
  return {
    given,
    members: members.map(({ seen }) => seen),
    ask: async (more: object = {}) => {
      const response = await post("/v1/chat/completions", { ...body, ...more }, alice.token);
      return { status: response.status, model: response.headers.get("x-telex-model"), text: await response.text() };
    },
    quota: () => telex.ai.quota(caller, {}),
  };
}

describe("a model that is a list of models", () => {
  it.each([
    [["replies", "replies"], 1],
    [["fails", "replies"], 2],
    [["says nothing", "fails", "replies"], 3],
  ] as const)(
    "of which the first ones fail (%j) answers as the next one, and counts once",
    async (beginnings, place) => {
      const { ask, quota, members } = await openMembers(beginnings);
      const model = `member-${place}`;
      const { text, ...answer } = await ask();
      expect(answer).toEqual({ status: 200, model });
      expect(JSON.parse(text)).toMatchObject({ model, choices: [{ message: { content: `I am ${model}.` } }] });
      expect(await quota()).toMatchObject({ messageCount: 1, tokenCount: 8 });
      expect(members.slice(0, -1).every(({ canRepeat }) => canRepeat === false)).toBe(true);
    },
  );

  it("names who answered in a stream, in responses, and in a conversation", async () => {
    const { ask, given } = await openMembers(["fails", "replies"]);
    const { text, model } = await ask({ stream: true });
    expect(model).toBe("member-2");
    expect([...text.matchAll(/"model":"([^"]*)"/g)].map(([, name]) => name)).toEqual([
      "member-2",
      "member-2",
      "member-2",
    ]);
    const client = clientOf(given);
    const response = await client.responses.create({ model: "main", input: "x" });
    expect(response).toMatchObject({ model: "member-2", output_text: "I am member-2." });
    const caller = await given.telex.authenticate(given.alice.token);
    let conversationId = 0;
    for await (const event of await given.telex.ai.chat(caller, { content: "x" })) ({ conversationId } = event);
    const { messages } = await given.telex.ai.conversationMessages(caller, { conversationId });
    expect(messages.find(({ role }) => role === "assistant")).toMatchObject({ model: "member-2" });
  });

  it("asks the next one after 20 seconds of silence, and lets the silent one go", async () => {
    const clock = createManualClock();
    const { ask, members } = await openMembers(["is silent", "replies"], { clock });
    const answer = ask();
    await until(() => clock.waiting().includes(20_000));
    expect(members[1]?.asked).toBe(0);
    await clock.advance(20_000);
    expect(await answer).toMatchObject({ status: 200, model: "member-2" });
    expect(members[0]?.isAborted).toBe(true);
  });

  it("ends with the first one if the caller is at fault, or if it breaks off after a piece", async () => {
    const refused = await openMembers(["refuses", "replies"]);
    expect(await refused.ask()).toMatchObject({ status: 400, model: null });
    const broken = await openMembers(["breaks off", "replies"]);
    expect(await broken.ask()).toMatchObject({ status: 503 });
    expect([refused.members[1]?.asked, broken.members[1]?.asked]).toEqual([0, 0]);
    expect(await refused.quota()).toMatchObject({ messageCount: 0, tokenCount: 0 });
  });

  it("fails as the last one does, at no cost, and lets the last one repeat its request", async () => {
    const { ask, quota, members } = await openMembers(["fails", "fails"]);
    expect(await ask()).toMatchObject({ status: 503, model: null });
    expect(await quota()).toMatchObject({ messageCount: 0, tokenCount: 0 });
    expect(members.map(({ canRepeat }) => canRepeat)).toEqual([false, undefined]);
  });

  it("stops whoever is asked when its caller leaves", async () => {
    const { given, members } = await openMembers(["is silent", "replies"], { silence: 60_000 });
    const { telex, alice } = given;
    const stopping = new AbortController();
    const caller = await telex.authenticate(alice.token);
    const input = { messages: [{ role: "user" as const, content: "x" }] };
    const events = (await telex.ai.complete(caller, input, { signal: stopping.signal }))[Symbol.asyncIterator]();
    const first = events.next();
    await until(() => members[0]?.asked === 1);
    stopping.abort();
    await first.catch(() => {});
    expect(members.map(({ asked, isAborted }) => [asked, isAborted])).toEqual([
      [1, true],
      [0, false],
    ]);
  });

  it("has the limits and abilities that all of its models have", () => {
    const small = { ...echoModel, contextTokens: 100, maxOutputTokens: 10, takesTools: true, takesImages: true };
    const large = { ...echoModel, takesTools: true, takesSettings: ["seed", "topP"] as const };
    const both = createFailover([
      ["small", { ...small, takesSettings: ["seed"] }],
      ["large", large],
    ]);
    expect(both).toMatchObject({ contextTokens: 100, maxOutputTokens: 10, takesTools: true, takesImages: false });
    expect(both.takesSettings).toEqual(["seed"]);
    expect(() => createFailover([])).toThrow(TypeError);
  });
});
