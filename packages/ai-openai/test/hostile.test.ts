import type { ServerResponse } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatModel, ChatPart } from "@telex/core";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createOpenAiModels, keyFromFile, type OpenAiOptions } from "../src/index.ts";
import { causeOf, closePeers, flood, servePeer } from "./peer.ts";

const streaming = (res: ServerResponse): ServerResponse => res.writeHead(200, { "content-type": "text/event-stream" });
const delta = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

const modelOf = (baseUrl: string, options: Partial<OpenAiOptions> = {}): ChatModel => {
  const models = [{ name: "test", contextTokens: 8000, maxOutputTokens: 1000 }];
  const model = createOpenAiModels({ baseUrl, models, retries: 0, ...options }).get("test");
  if (model === undefined) throw new Error("a model was named");
  return model;
};

const replyOf = (model: ChatModel, signal = new AbortController().signal, maxOutputTokens = 100) =>
  model.reply({ messages: [{ role: "user", content: "hello" }], maxOutputTokens, signal });

async function read(reply: AsyncIterable<ChatPart>): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of reply) parts.push(part);
  return parts;
}

describe("a hostile service", () => {
  it("that never ends is cut off at the length that was asked for", async () => {
    const peer = await servePeer((res, own) => flood(streaming(res), own, delta("x".repeat(100))));
    const parts = await read(replyOf(modelOf(peer.url)));
    expect(parts.at(-1)).toMatchObject({ kind: "end", finishReason: "length", usage: { estimated: true } });
    expect(parts.length).toBeLessThan(40);
    await peer.left;
  });

  it("that sends ids of a call without end is cut off at that length as well", async () => {
    const call = { index: 0, id: "x".repeat(100), function: { arguments: "" } };
    const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
    const peer = await servePeer((res, own) => flood(streaming(res), own, piece));
    const parts = await read(replyOf(modelOf(peer.url)));
    expect(parts.at(-1)).toMatchObject({ kind: "end", finishReason: "length", usage: { estimated: true } });
    expect(parts.length).toBeLessThan(40);
    await peer.left;
  });

  it("is not read ahead of its reader", async () => {
    const peer = await servePeer((res, own) => flood(streaming(res), own, delta("x".repeat(100))));
    const reply = replyOf(modelOf(peer.url), undefined, 1000)[Symbol.asyncIterator]();
    await reply.next();
    await expect
      .poll(async () => {
        const before = peer.state.written;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return peer.state.written - before;
      })
      .toBe(0);
    // The buffers of the kernel on both sides of a local connection, and one buffer of Telex.
    expect(peer.state.written).toBeLessThan(16_000_000);
    await reply.return?.();
    await peer.left;
  });

  it.each([
    ["comments", ": still thinking\n\n"],
    ["fields without sense", "foo: bar\n\n"],
    ["one line without an end", "data: xxxxxxxxxxxxxxxx"],
    ["bytes that are no text", "\u0000\uffff\u0001 \r\r\n\n"],
    ["events without a piece", 'data: {"choices":[]}\n\n'],
    ["empty parts of calls", 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":""}]}}]}\n\n'],
  ])("that sends nothing but %s is given up", async (_, text) => {
    const peer = await servePeer((res, own) => flood(streaming(res), own, text.repeat(64)));
    const cause = await causeOf(read(replyOf(modelOf(peer.url, { timeouts: { firstDelta: 500 } }))));
    expect(cause).toMatchObject([
      "ai_unavailable",
      expect.stringMatching(/^The AI service (sends no (events|pieces)|sent an event|does not continue)/),
    ]);
    await peer.left;
  });

  it.each([
    ["not JSON", "data: {nonsense\n\n", "The AI service sent an event that is not JSON."],
    [
      "an error in the middle",
      'data: {"error":{"message":"key sk-1 is wrong","type":"server_error"}}\n\n',
      "The AI service broke off (type server_error).",
    ],
    ["nothing more", "", "The AI service stopped in the middle."],
  ])("that sends %s after a piece fails, and the piece was passed on", async (_, text, cause) => {
    const peer = await servePeer((res) => streaming(res).end(delta("half") + text));
    const parts: ChatPart[] = [];
    const failing = (async () => {
      for await (const part of replyOf(modelOf(peer.url))) parts.push(part);
    })();
    expect(await causeOf(failing)).toEqual(["ai_unavailable", cause]);
    expect(parts).toEqual([{ kind: "delta", delta: "half" }]);
  });

  it("that resets the connection in the middle of a piece fails, and what came was passed on", async () => {
    const peer = await servePeer((res) => {
      streaming(res).write(`${delta("half")}data: {"choices":[{"del`, () => res.socket?.resetAndDestroy());
    });
    const parts: ChatPart[] = [];
    const failing = (async () => {
      for await (const part of replyOf(modelOf(peer.url))) parts.push(part);
    })();
    expect(await causeOf(failing)).toEqual([
      "ai_unavailable",
      expect.stringMatching(/^The connection to the AI service failed/),
    ]);
    expect(parts).toEqual([{ kind: "delta", delta: "half" }]);
  });

  it("whose model thinks is waited for, and its thoughts are kept back", async () => {
    const thought = 'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n';
    const peer = await servePeer((res) => {
      streaming(res);
      const steps = [thought, thought, thought, thought, delta("Yes"), finish];
      const timer = setInterval(() => {
        const step = steps.shift();
        if (step !== undefined) return void res.write(step);
        clearInterval(timer);
        res.end();
      }, 40);
    });
    const parts = await read(replyOf(modelOf(peer.url, { timeouts: { firstDelta: 400, betweenDeltas: 400 } })));
    expect(parts).toMatchObject([{ kind: "delta", delta: "Yes" }, { kind: "end" }]);
  });

  it("is not asked where the reply is stopped before", async () => {
    const peer = await servePeer((res) => void streaming(res));
    const stopping = new AbortController();
    const key = (): Promise<string> => {
      stopping.abort();
      return Promise.resolve("sk");
    };
    await expect(read(replyOf(modelOf(peer.url, { key }), stopping.signal))).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(peer.state.asked).toBe(0);
  });

  it.each([
    ["a comment", ": wait\n\n"],
    ["the beginning of a piece", 'data: {"choices":[{"del'],
  ])("that goes silent after %s is given up", async (_, text) => {
    const peer = await servePeer((res) => void streaming(res).write(text));
    const clock = createManualClock(0);
    const cause = causeOf(read(replyOf(modelOf(peer.url, { clock }))));
    await expect.poll(() => peer.state.asked).toBe(1);
    await clock.advance(120_000);
    expect(await cause).toEqual(["ai_unavailable", "The AI service does not continue."]);
    await peer.left;
  });

  it("that says nothing is given up 120 s after it was asked first, repeats included", async () => {
    const peer = await servePeer((res, { state }) => {
      if (state.asked === 1) res.writeHead(503).end();
    });
    const clock = createManualClock(0);
    let isOver = false;
    const cause = causeOf(read(replyOf(modelOf(peer.url, { clock, retries: 2 })))).finally(() => (isOver = true));
    await expect.poll(() => clock.waiting()).toEqual([250, 120_000]);
    await clock.advance(250);
    await expect.poll(() => peer.state.asked).toBe(2);
    await clock.advance(119_749);
    await ticks(1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await cause).toEqual(["ai_unavailable", "The AI service does not continue."]);
    expect(peer.state.asked).toBe(2);
    expect(clock.waiting()).toEqual([]);
    await peer.left;
  });

  it("that wants to be asked again later than the reply may begin is given up in time", async () => {
    const peer = await servePeer((res) => res.writeHead(503, { "retry-after": "5" }).end());
    const clock = createManualClock(0);
    const options = { clock, retries: 2, timeouts: { firstDelta: 4000 } };
    const cause = causeOf(read(replyOf(modelOf(peer.url, options))));
    await expect.poll(() => clock.waiting()).toEqual([4000, 5000]);
    await clock.advance(4000);
    expect(await cause).toEqual(["ai_unavailable", "The AI service answered 503."]);
    expect(peer.state.asked).toBe(1);
    expect(clock.waiting()).toEqual([]);
  });

  it("that puts the key into the words of its errors does not get it logged", async () => {
    const key = "sk_secret-0123456789";
    const error = { message: key, type: key.slice(0, 9), code: key };
    for (const [code, words, tell] of [
      ["invalid_request", "answered 400", (res: ServerResponse) => res.writeHead(400).end(JSON.stringify({ error }))],
      [
        "ai_unavailable",
        "broke off",
        (res: ServerResponse) => streaming(res).end(`data: ${JSON.stringify({ error })}\n\n`),
      ],
    ] as const) {
      const peer = await servePeer((res) => void tell(res));
      expect(await causeOf(read(replyOf(modelOf(peer.url, { key }))))).toEqual([code, `The AI service ${words}.`]);
    }
  });

  it("that goes silent in the middle is given up, but not for the time its reader takes", async () => {
    const peer = await servePeer((res) => void streaming(res).write(delta("half")));
    const clock = createManualClock(0);
    const reply = replyOf(modelOf(peer.url, { clock }))[Symbol.asyncIterator]();
    expect((await reply.next()).value).toEqual({ kind: "delta", delta: "half" });
    await clock.advance(1_000_000);
    const cause = causeOf(reply.next());
    await clock.advance(29_999);
    await clock.advance(1);
    expect(await cause).toEqual(["ai_unavailable", "The AI service does not continue."]);
    await peer.left;
  });

  it("that is cut off after its finish has given all but its usage, which is counted here", async () => {
    const peer = await servePeer((res) => {
      streaming(res).write(delta("Hello world") + finish, () => res.socket?.resetAndDestroy());
    });
    expect(await read(replyOf(modelOf(peer.url)))).toEqual([
      { kind: "delta", delta: "Hello world" },
      { kind: "end", finishReason: "stop", usage: { promptTokens: 1, completionTokens: 2, estimated: true } },
    ]);
  });

  it("that lies about its usage is not believed", async () => {
    const usage = { prompt_tokens: -5, completion_tokens: 1e300 };
    const lie = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;
    const peer = await servePeer((res) => streaming(res).end(delta("Hello world") + finish + lie));
    expect((await read(replyOf(modelOf(peer.url)))).at(-1)).toMatchObject({
      usage: { promptTokens: 1, completionTokens: 2, estimated: true },
    });
  });

  it.each([
    ["a redirect", 302, { location: "http://169.254.169.254/" }],
    ["a page", 200, { "content-type": "text/html" }],
  ])("that answers %s is not followed", async (_, status, headers) => {
    const peer = await servePeer((res) => res.writeHead(status, headers).end("<html>sk-1</html>"));
    const cause = await causeOf(read(replyOf(modelOf(peer.url))));
    expect(cause).toMatchObject([
      "ai_unavailable",
      expect.stringMatching(/^The AI service (answered 302|did not answer with text\/event-stream)\.$/),
    ]);
    expect(peer.state.asked).toBe(1);
  });

  it("that is not there is ai_unavailable", async () => {
    const peer = await servePeer(() => {});
    await closePeers();
    expect(await causeOf(read(replyOf(modelOf(peer.url))))).toEqual([
      "ai_unavailable",
      expect.stringContaining("ECONNREFUSED"),
    ]);
  });

  it("whose reply was aborted before it was asked is not asked", async () => {
    const peer = await servePeer((res) => streaming(res).end(finish));
    await expect(read(replyOf(modelOf(peer.url), AbortSignal.abort(new Error("enough"))))).rejects.toThrow("enough");
    expect(peer.state.asked).toBe(0);
  });
});

const call = (index: unknown, more: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...more }] } }] })}\n\n`;

describe("tools and pictures", () => {
  it("are sent in the service's words, and calls come back piece by piece", async () => {
    const peer = await servePeer((res) => {
      streaming(res).write(call(0, { id: "c1", type: "function", function: { name: "weather", arguments: "" } }));
      res.write(call(0, { function: { arguments: '{"city":"Oslo"}' } }));
      res.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n');
    });
    const model = modelOf(peer.url, {
      models: [{ name: "test", contextTokens: 8000, maxOutputTokens: 1000, images: true, tools: true }],
    });
    expect([model.takesImages, model.takesTools]).toEqual([true, true]);
    const url = "data:image/png;base64,AAAA";
    const parts = await read(
      model.reply({
        messages: [
          {
            role: "user",
            content: "What?",
            parts: [{ text: "What?" }, { image: url }],
          },
          { role: "assistant", content: "", toolCalls: [{ id: "c0", name: "look", arguments: "{}" }] },
          { role: "tool", content: "A cat.", toolCallId: "c0" },
        ],
        tools: [{ name: "weather", parameters: JSON.stringify({ type: "object" }) }],
        toolChoice: { name: "weather" },
        parallelToolCalls: false,
        stop: ["END"],
        maxOutputTokens: 100,
        signal: new AbortController().signal,
      }),
    );
    expect(parts).toMatchObject([
      { kind: "tool_call", index: 0, id: "c1", name: "weather", arguments: "" },
      { kind: "tool_call", index: 0, arguments: '{"city":"Oslo"}' },
      { kind: "end", finishReason: "tool_calls", usage: { estimated: true } },
    ]);
    expect(JSON.parse(peer.bodies[0] ?? "")).toEqual({
      model: "test",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What?" },
            { type: "image_url", image_url: { url } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c0", type: "function", function: { name: "look", arguments: "{}" } }],
        },
        { role: "tool", content: "A cat.", tool_call_id: "c0" },
      ],
      max_tokens: 100,
      stop: ["END"],
      tools: [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "weather" } },
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it.each([[-1], [128], [0.5], ["0"], [{}]])("of a call with the index %j nothing is passed on", async (index) => {
    const odd = call(index, { id: "c1", function: { name: "weather", arguments: "{}" } });
    const peer = await servePeer((res) => streaming(res).end(odd + delta("x") + finish));
    const parts = await read(replyOf(modelOf(peer.url)));
    expect(parts.map(({ kind }) => kind)).toEqual(["delta", "end"]);
  });

  it("that never end are cut off at the length that was asked for", async () => {
    const peer = await servePeer((res, own) => {
      flood(streaming(res), own, call(0, { function: { arguments: "x".repeat(100) } }));
    });
    const parts = await read(replyOf(modelOf(peer.url)));
    expect(parts.at(-1)).toMatchObject({ kind: "end", finishReason: "length" });
    await peer.left;
  });
});

describe("the key", () => {
  it("is read from its file with each request, and its absence names no path", async () => {
    const peer = await servePeer((res) => streaming(res).end(delta("x") + finish));
    const folder = await mkdtemp(join(tmpdir(), "telex-key-"));
    const path = join(folder, "key");
    const model = modelOf(peer.url, { key: keyFromFile(path) });
    for (const key of ["sk-old\n", "sk-new\n"]) {
      await writeFile(path, key);
      await read(replyOf(model));
    }
    await rm(folder, { recursive: true });
    expect(peer.keys).toEqual(["Bearer sk-old", "Bearer sk-new"]);
    expect(await causeOf(read(replyOf(model)))).toEqual([
      "ai_unavailable",
      "The key of the AI service could not be read.",
    ]);
  });

  it("is left out where none is given", async () => {
    const peer = await servePeer((res) => streaming(res).end(delta("x") + finish));
    await read(replyOf(modelOf(peer.url)));
    expect(peer.keys).toEqual([undefined]);
  });
});

describe("options", () => {
  it.each([
    ["an address without a scheme", { baseUrl: "api.example/v1" }],
    ["an address with a password", { baseUrl: "https://user:secret@api.example/v1" }],
    ["a reply longer than the context", { models: [{ name: "a", contextTokens: 10, maxOutputTokens: 11 }] }],
  ])("refuse %s without repeating a secret", (_, wrong) => {
    const options = { baseUrl: "https://api.example/v1", models: [], ...wrong };
    expect(() => createOpenAiModels(options)).toThrow(TypeError);
    expect(() => createOpenAiModels(options)).not.toThrow("secret");
  });
});
