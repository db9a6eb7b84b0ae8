import { type IncomingMessage, request as requestOf } from "node:http";
import { operator } from "@telex/core";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { createEndlessModel, createStepModel } from "./models.ts";
import { overBothTransports, setup, type Setup } from "./setup.ts";

const base = "/external/api/v1/sseStream";
const chatPath = `${base}/chat`;

/** The events of a stream, in the order of their arrival. */
function readerOf(response: Response) {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const next = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end >= 0) {
        const block = rest.slice(0, end);
        rest = rest.slice(end + 2);
        return block;
      }
      const { done, value = "" } = await reader.read();
      if (done) return "";
      rest += value;
    }
  };
  return { next, leave: () => reader.cancel() };
}

/** The id, name and data of an event, without comments and `retry`. */
function eventIn(block: string) {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const [id = "", event, data = ""] = ["id", "event", "data"].map((name) => fields.get(name));
  return { id, event, data: JSON.parse(data) as unknown };
}

async function nextEvent(reader: ReturnType<typeof readerOf>) {
  const block = await reader.next();
  return block === "" ? null : eventIn(block);
}

async function blocksOf(reader: ReturnType<typeof readerOf>): Promise<string[]> {
  const blocks: string[] = [];
  for (let block = await reader.next(); block !== ""; block = await reader.next()) blocks.push(block);
  return blocks;
}

async function restOf(reader: ReturnType<typeof readerOf>) {
  const events = [];
  for (let event = await nextEvent(reader); event !== null; event = await nextEvent(reader)) events.push(event);
  return events;
}

const chat = ({ post, alice }: Setup, body: object) => post(chatPath, body, alice.token);
const resume = ({ send }: Setup, id: string, token: string) =>
  send(chatPath, { method: "POST", token, headers: { "last-event-id": id } });

overBothTransports("a chat over server-sent events", (open) => {
  it("answers piece by piece, then with its result", async () => {
    const given = await open();
    const response = await chat(given, { content: "Hello big world" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    const reader = readerOf(response);
    const [first, ...others] = await blocksOf(reader);
    expect(first).toMatch(/^id: [\w-]+:1\nretry: 2000\nevent: ChatDelta\ndata: /);
    expect(others.every((block) => /^id: [\w-]+:\d\nevent: \w+\ndata: /.test(block))).toBe(true);
    const events = [first ?? "", ...others].map(eventIn);
    const [reply] = events[0]?.id.split(":") ?? [];
    expect(events).toEqual([
      { id: `${reply}:1`, event: "ChatDelta", data: { conversationId: 1, delta: "Hello" } },
      { id: `${reply}:2`, event: "ChatDelta", data: { conversationId: 1, delta: " big" } },
      { id: `${reply}:3`, event: "ChatDelta", data: { conversationId: 1, delta: " world" } },
      {
        id: `${reply}:4`,
        event: "ChatResult",
        data: {
          conversationId: 1,
          content: "Hello big world",
          finishReason: "stop",
          usage: { promptTokens: 3, completionTokens: 3, totalTokens: 6, estimated: false },
        },
      },
    ]);
  });

  it("is refused in the envelope, with the status of the refusal", async () => {
    const given = await open();
    const { alice, telex, post } = given;
    await telex.operator.quota.assign(operator, { userId: alice.id, unit: "count", max: 0, period: "daily" });
    const statuses = await Promise.all(
      [
        chat(given, { content: "x" }),
        chat(given, { content: "x", model: "none" }),
        chat(given, {}),
        post(chatPath, {}),
      ].map(async (answer) => {
        const response = await answer;
        const body: unknown = await response.json();
        return [response.status, body, response.headers.has("retry-after")];
      }),
    );
    expect(statuses).toMatchObject([
      [429, { code: 429, data: { error: "quota_exceeded" } }, true],
      [404, { code: 404, data: { error: "not_found" } }, false],
      [400, { code: 400, data: { error: "invalid_request", issues: [{ path: "content" }] } }, false],
      [401, { code: 401, data: { error: "invalid_token" } }, false],
    ]);
  });

  it("fails in the envelope where the model fails before its first piece, else in an event, never in its words", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.fail(new Error("the key sk-1 is wrong"));
    const early = await chat(given, { content: "x" });
    expect([early.status, await early.json()]).toMatchObject([503, { data: { error: "ai_unavailable" } }]);
    model.word("half");
    const late = await chat(given, { content: "x" });
    model.fail(new Error("the key sk-2 is wrong"));
    const events = await restOf(readerOf(late));
    expect(events).toMatchObject([
      { event: "ChatDelta" },
      { event: "OperationFailed", data: { code: 503, data: { error: "ai_unavailable" } } },
    ]);
    expect(JSON.stringify(events)).not.toContain("sk-");
    expect(given.log.filter((line) => line.includes("sk-1"))).toHaveLength(1);
    expect(given.log.filter((line) => line.includes("sk-2"))).toHaveLength(1);
  });

  it("stops the model where its reader does not come back, and settles", async () => {
    const model = createEndlessModel();
    const given = await open({ telex: { models: model.models }, limits: { replyGrace: 1 } });
    const reader = readerOf(await chat(given, { content: "x" }));
    await nextEvent(reader);
    await reader.leave();
    await model.aborted;
    const caller = await given.telex.authenticate(given.alice.token);
    await expect.poll(async () => (await given.telex.ai.quota(caller, {})).tokenCount).toBeGreaterThan(0);
    expect((await given.telex.ai.quota(caller, {})).messageCount).toBe(0);
  });

  it("is taken up where it was lost, by its own user alone", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("one ");
    const first = readerOf(await chat(given, { content: "x" }));
    const seen = await nextEvent(first);
    await first.leave();
    model.word("two ");
    const id = seen?.id ?? "";
    for (const [wrong, token] of [
      [id, given.bob.token],
      [`${id}0`, given.alice.token],
      ["nonsense", given.alice.token],
    ] as const) {
      expect((await resume(given, wrong, token)).status).toBe(404);
    }
    expect((await resume(given, id, await given.issue(given.alice, ["profile"]))).status).toBe(403);
    const second = readerOf(await resume(given, id, given.alice.token));
    expect(await nextEvent(second)).toMatchObject({ event: "ChatDelta", data: { delta: "two " } });
    model.end();
    expect(await restOf(second)).toMatchObject([
      { event: "ChatResult", data: { content: "one two ", finishReason: "stop" } },
    ]);
    expect(model.state.asked).toBe(1);
    const again = readerOf(await resume(given, id, given.alice.token));
    expect((await restOf(again)).map(({ event }) => event)).toEqual(["ChatDelta", "ChatResult"]);
  });

  it("ends with the token of its reader", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    model.word("one ");
    const reader = readerOf(await chat(given, { content: "x" }));
    await nextEvent(reader);
    await given.telex.operator.tokens.revoke(operator, { token: given.alice.token });
    expect(await restOf(reader)).toMatchObject([
      { event: "OperationFailed", data: { data: { error: "invalid_token" } } },
    ]);
    await model.aborted;
  });

  it("is read by the client as an iteration that survives the loss of its connection", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    const cut = new AbortController();
    let connections = 0;
    const client = createClient({
      url: given.url,
      token: given.alice.token,
      fetch: async (request) => {
        connections += 1;
        const response = await (given.url.endsWith(".test") ? given.http.fetch(request) : fetch(request));
        if (connections > 1) return response;
        const cutting = new TransformStream<Uint8Array, Uint8Array>();
        response.body?.pipeTo(cutting.writable, { signal: cut.signal }).catch(() => {});
        return new Response(cutting.readable, response);
      },
    });
    model.word("one ");
    const deltas: string[] = [];
    for await (const event of await client.ai.chat({ content: "x" })) {
      deltas.push(event.kind === "delta" ? event.delta : event.kind);
      if (deltas.length > 1) continue;
      cut.abort();
      model.word("two");
      model.end();
    }
    expect(deltas).toEqual(["one ", "two", "result"]);
    expect([connections, model.state.asked]).toEqual([2, 1]);
  });

  it("throws in the client what the reply failed with", async () => {
    const model = createStepModel();
    const given = await open({ telex: { models: model.models } });
    const fetching = given.url.endsWith(".test") ? given.http.fetch : fetch;
    const client = createClient({ url: given.url, token: given.alice.token, fetch: (request) => fetching(request) });
    model.word("one ");
    const events = await client.ai.chat({ content: "x" });
    model.fail(new Error("gone"));
    const read = async () => {
      for await (const event of events) expect(event.kind).toBe("delta");
    };
    await expect(read()).rejects.toMatchObject({ code: "ai_unavailable", status: 503 });
  });

  it("is kept as a conversation that is read, renamed and deleted under its own address", async () => {
    const given = await open();
    const { send, alice, bob } = given;
    await (await chat(given, { content: "Hello" })).text();
    const conversation = `${base}/conversations/1`;
    const call = async (path: string, method: string, body?: object, token = alice.token) => {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const response = await send(path, { method, token, ...init });
      const answer: unknown = await response.json();
      return [
        response.status,
        typeof answer === "object" && answer !== null && "data" in answer ? answer.data : answer,
      ];
    };
    expect(await call(`${conversation}/messages?pageSize=1`, "GET")).toMatchObject([
      200,
      { messages: [{ role: "assistant", content: "Hello" }], nextPageCursor: "2" },
    ]);
    expect(await call(conversation, "PATCH", { title: "Greeting", status: 1, conversationId: 77 })).toMatchObject([
      200,
      { id: 1, title: "Greeting", status: 1 },
    ]);
    expect(await call(conversation, "DELETE", undefined, bob.token)).toMatchObject([404, { error: "not_found" }]);
    expect(await call(conversation, "DELETE")).toEqual([200, null]);
    expect(await call(`${conversation}/messages`, "GET")).toMatchObject([404, { error: "not_found" }]);
    expect(await call(`${base}/models`, "GET")).toEqual([
      200,
      [{ model: "echo", contextTokens: 8192, maxOutputTokens: 1024, images: false, tools: false, settings: [] }],
    ]);
    const refused = await send(conversation, { method: "PUT", token: alice.token });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "PATCH, DELETE"]);
  });
});

it("lets a model say no more than its reader reads", async () => {
  const model = createEndlessModel();
  const given = await setup("in process", { telex: { models: model.models } });
  const reader = readerOf(await chat(given, { content: "x" }));
  for (let read = 0; read < 3; read += 1) await reader.next();
  await ticks();
  expect(model.state.said).toBeLessThan(8);
  await reader.leave();
});

it("lets a model say no more than a connection takes that nobody reads", async () => {
  const model = createEndlessModel();
  const given = await setup("over a socket", { telex: { models: model.models } });
  const asking = requestOf(`${given.url}${chatPath}`, {
    method: "POST",
    headers: { authorization: `Bearer ${given.alice.token}`, "content-type": "application/json" },
  });
  const answered = new Promise<IncomingMessage>((resolve) => asking.once("response", resolve));
  asking.end(JSON.stringify({ content: "x" }));
  (await answered).pause();
  let before = -1;
  await expect
    .poll(
      async () => {
        await ticks(500);
        const isStill = model.state.said === before;
        before = model.state.said;
        return isStill;
      },
      { timeout: 15_000 },
    )
    .toBe(true);
  // A kilobyte each: the buffers of the system on both sides, and the buffer of Telex.
  expect(model.state.said).toBeLessThan(20_000);
  asking.destroy();
});

it("goes on for a bounded while without its reader, is stopped after the grace, and forgotten after a minute", async () => {
  const model = createEndlessModel();
  const clock = createManualClock();
  const given = await setup("in process", { telex: { models: model.models, clock }, limits: { replyBuffer: 10_000 } });
  const reader = readerOf(await chat(given, { content: "x" }));
  await reader.next();
  const seen = await nextEvent(reader);
  await reader.leave();
  await ticks(200);
  expect(model.state.said).toBeLessThan(40);
  await clock.advance(5000);
  await model.aborted;
  await ticks();
  const late = readerOf(await resume(given, seen?.id ?? "", given.alice.token));
  expect((await restOf(late)).at(-1)).toMatchObject({ event: "ChatResult", data: { finishReason: "stopped" } });
  await clock.advance(60_000);
  expect((await resume(given, seen?.id ?? "", given.alice.token)).status).toBe(404);
});

it("breaks the silence of a slow model with comments, also before its first piece", async () => {
  const model = createStepModel();
  const clock = createManualClock();
  const given = await setup("in process", { telex: { models: model.models, clock } });
  const answer = chat(given, { content: "x" });
  await ticks();
  await clock.advance(15_000);
  const text = (await answer).text();
  await ticks();
  await clock.advance(15_000);
  await ticks();
  model.word("at last");
  model.end();
  // A comment is not a separate block: some clients treat that as an event without data.
  expect(await text).toMatch(/^: still here\nid: [\w-]+:1\nretry: 2000\nevent: ChatDelta\n/);
});
