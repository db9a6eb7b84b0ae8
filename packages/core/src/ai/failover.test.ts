import { getEventListeners } from "node:events";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { TelexError } from "@telex/ground/errors";
import { expect, it } from "vitest";
import { createFailover } from "./failover.ts";
import { type ChatModel, type ChatPart, type ChatRequest, echoModel } from "./model.ts";

const usage = { promptTokens: 1, completionTokens: 1, estimated: false };
const end: ChatPart = { kind: "end", usage, finishReason: "stop" };

const model = (reply: ChatModel["reply"], fields: Partial<ChatModel> = {}): ChatModel => ({
  ...echoModel,
  ...fields,
  reply,
});

const saying = (delta: string): ChatModel =>
  model(async function* () {
    yield { kind: "delta", delta };
    yield end;
  });

const failing = (failure: Error): ChatModel => {
  const next = (): Promise<never> => Promise.reject(failure);
  return model(() => ({ [Symbol.asyncIterator]: () => ({ next }) }));
};

/** Never says anything. Keeps the requests that it got, and whether they were ended. */
function createSilent() {
  const requests: ChatRequest[] = [];
  const ended: boolean[] = [];
  const silent = model((asked) => {
    requests.push(asked);
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return() {
          ended.push(true);
          return Promise.reject(new Error("It fails at its end, too."));
        },
      }),
    };
  });
  return { silent, requests, ended };
}

function request(): ChatRequest & { readonly leave: () => void } {
  const controller = new AbortController();
  const messages = [{ role: "user", content: "one two" }] as const;
  return { messages, maxOutputTokens: 10, signal: controller.signal, leave: () => controller.abort(new Error("left")) };
}

async function partsOf(one: ChatModel, asked: ChatRequest = request()): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of one.reply(asked)) parts.push(part);
  return parts;
}

const answering = (name: string): ChatPart => ({ kind: "answering", model: name });
const delta = (text: string): ChatPart => ({ kind: "delta", delta: text });

it("names the model that replies, and gives its whole reply", async () => {
  const both = createFailover([
    ["first", saying("a")],
    ["second", saying("b")],
  ]);
  expect(await partsOf(both)).toEqual([answering("first"), delta("a"), end]);
});

it("leaves no timer and no listener behind once a model has replied", async () => {
  const clock = createManualClock();
  const asked = request();
  const both = createFailover(
    [
      ["first", saying("a")],
      ["second", saying("b")],
    ],
    { clock },
  );
  await partsOf(both, asked);
  expect(clock.waiting()).toEqual([]);
  expect(getEventListeners(asked.signal, "abort")).toEqual([]);
});

it("asks the next model where one fails or says nothing", async () => {
  const both = createFailover([
    ["failing", failing(new Error("down"))],
    ["empty", model(async function* () {})],
    ["last", saying("c")],
  ]);
  expect(await partsOf(both)).toEqual([answering("last"), delta("c"), end]);
});

it("passes the failure of the last model on", async () => {
  const both = createFailover([
    ["first", failing(new Error("down"))],
    ["last", failing(new Error("down as well"))],
  ]);
  await expect(partsOf(both)).rejects.toThrow("down as well");
});

it("asks no other model where the request is at fault", async () => {
  const refusal = new TelexError("invalid_request");
  const both = createFailover([
    ["first", failing(refusal)],
    ["last", saying("never")],
  ]);
  await expect(partsOf(both)).rejects.toBe(refusal);
});

it("asks the next model where one refuses for a reason of its own", async () => {
  const both = createFailover([
    ["busy", failing(new TelexError("busy"))],
    ["last", saying("c")],
  ]);
  expect(await partsOf(both)).toEqual([answering("last"), delta("c"), end]);
});

it("leaves a silent model after its time, aborts and ends it, and asks the next one", async () => {
  const clock = createManualClock();
  const { silent, requests, ended } = createSilent();
  const both = createFailover(
    [
      ["silent", silent],
      ["last", saying("c")],
    ],
    { clock, silence: 1000 },
  );
  const asked = request();
  const parts = partsOf(both, asked);
  await ticks();
  await clock.advance(999);
  expect(requests[0]).toMatchObject({ canRepeat: false, signal: { aborted: false } });
  await clock.advance(1);
  expect(await parts).toEqual([answering("last"), delta("c"), end]);
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(asked.signal.aborted).toBe(false);
  expect(ended).toEqual([true]);
});

it("waits 20 s for a model unless it is told otherwise", async () => {
  const clock = createManualClock();
  const parts = partsOf(
    createFailover(
      [
        ["silent", createSilent().silent],
        ["last", saying("c")],
      ],
      { clock },
    ),
  );
  let isOver = false;
  void parts.then(() => (isOver = true));
  await ticks();
  await clock.advance(19_999);
  await ticks();
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(await parts).toHaveLength(3);
});

it("asks nobody else when the caller has left", async () => {
  const { silent, requests } = createSilent();
  const asked = request();
  const both = createFailover(
    [
      ["silent", silent],
      ["last", saying("never")],
    ],
    { clock: createManualClock() },
  );
  const parts = partsOf(both, asked);
  await ticks();
  asked.leave();
  await expect(parts).rejects.toThrow("left");
  expect(requests[0]?.signal.aborted).toBe(true);
});

it("gives the last model as much time as it takes", async () => {
  const clock = createManualClock();
  const { silent, requests } = createSilent();
  const reply = createFailover([["only", silent]], { clock, silence: 1 }).reply(request());
  const replies = reply[Symbol.asyncIterator]();
  expect((await replies.next()).value).toEqual(answering("only"));
  void replies.next();
  await clock.advance(100_000);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.signal.aborted).toBe(false);
});

it("takes only what each of its models takes", () => {
  const large = model((asked) => echoModel.reply(asked), {
    contextTokens: 1000,
    maxOutputTokens: 50,
    takesImages: true,
    takesTools: true,
    takesSettings: ["temperature", "seed"],
    countTokens: () => 2,
  });
  const small = model((asked) => echoModel.reply(asked), {
    contextTokens: 100,
    maxOutputTokens: 500,
    takesImages: true,
    takesSettings: ["seed"],
    countTokens: () => 3,
  });
  const both = createFailover([
    ["large", large],
    ["small", small],
  ]);
  const { contextTokens, maxOutputTokens, takesImages, takesTools, takesSettings } = both;
  expect({ contextTokens, maxOutputTokens, takesImages, takesTools, takesSettings }).toEqual({
    contextTokens: 100,
    maxOutputTokens: 50,
    takesImages: true,
    takesTools: false,
    takesSettings: ["seed"],
  });
  expect(both.countTokens("text")).toBe(3);
  const tools = { ...small, takesTools: true };
  expect(
    createFailover([
      ["one", tools],
      ["other", tools],
    ]).takesTools,
  ).toBe(true);
  expect(() => createFailover([])).toThrow("createFailover needs at least one model.");
});
