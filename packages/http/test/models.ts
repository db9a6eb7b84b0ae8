import {
  type ChatModel,
  type ChatRequest,
  echoModel,
  type EmbeddingModel,
  type EmbeddingRequest,
  type ReplySetting,
} from "@telex/core";

/** A model that emits words on request of the test. */
export interface StepModel {
  readonly models: ReadonlyMap<string, ChatModel>;
  /** Emits the next word. */
  word(delta: string): void;
  /** Ends the reply. */
  end(): void;
  fail(cause: Error): void;
  /** Resolves when a reply was aborted. */
  readonly aborted: Promise<void>;
  readonly state: { asked: number };
}

type Step = { readonly delta: string } | { readonly error: Error } | null;

/** Steps that wait for their reader. */
function createSteps() {
  const steps: Step[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    add(step: Step): void {
      steps.push(step);
      wake.resolve();
    },
    async take(signal: AbortSignal): Promise<Step> {
      for (;;) {
        signal.throwIfAborted();
        const step = steps.shift();
        if (step !== undefined) return step;
        wake = Promise.withResolvers();
        signal.addEventListener("abort", () => wake.resolve(), { once: true });
        await wake.promise;
      }
    },
  };
}

export function createStepModel(): StepModel {
  const steps = createSteps();
  const aborted = Promise.withResolvers<void>();
  const state = { asked: 0 };
  const step: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      state.asked += 1;
      signal.addEventListener("abort", () => aborted.resolve());
      let words = 0;
      for (;;) {
        const next = await steps.take(signal);
        if (next === null) break;
        if ("error" in next) throw next.error;
        words += 1;
        yield { kind: "delta", delta: next.delta };
      }
      yield {
        kind: "end",
        finishReason: "stop",
        usage: { promptTokens: 1, completionTokens: words, estimated: false },
      };
    },
  };
  return {
    models: new Map([["step", step]]),
    word: (delta) => steps.add({ delta }),
    end: () => steps.add(null),
    fail: (error) => steps.add({ error }),
    aborted: aborted.promise,
    state,
  };
}

const allSettings: readonly ReplySetting[] = [
  "temperature",
  "topP",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "reasoningEffort",
  "verbosity",
  "parallelToolCalls",
  "responseFormat",
];

/**
 * A model that accepts pictures, tools and settings: it calls the first offered tool, in pieces, repeats the result of a tool,
 * and otherwise describes the received pictures.
 */
export function createTakingModel() {
  const asked: ChatRequest[] = [];
  const taking: ChatModel = {
    ...echoModel,
    takesImages: true,
    takesTools: true,
    takesSettings: allSettings,
    async *reply(request) {
      asked.push(request);
      const { messages, tools = [] } = request;
      const last = messages.at(-1);
      const [tool] = tools;
      const details = { cachedTokens: 5, reasoningTokens: 1 };
      const usage = { promptTokens: 7, completionTokens: 3, ...details, estimated: false };
      if (tool !== undefined && last?.role !== "tool") {
        yield { kind: "tool_call", index: 0, id: "call_1", name: tool.name, arguments: "" };
        yield { kind: "tool_call", index: 0, arguments: '{"city":' };
        yield { kind: "tool_call", index: 0, arguments: '"Oslo"}' };
        yield { kind: "end", finishReason: "tool_calls", usage };
        return;
      }
      const pictures = (last?.parts ?? []).filter(({ image }) => image !== undefined).length;
      yield { kind: "delta", delta: last?.role === "tool" ? last.content : `${pictures} pictures` };
      yield { kind: "end", finishReason: "stop", usage };
    },
  };
  return { models: new Map([["taking", taking]]), asked };
}

/** A model that repeats one word until it is stopped, and counts its requests. */
export function createEndlessModel() {
  const state = { said: 0 };
  const aborted = Promise.withResolvers<void>();
  const endless: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      signal.addEventListener("abort", () => aborted.resolve());
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        state.said += 1;
        yield { kind: "delta", delta: "x".repeat(1000) };
      }
    },
  };
  return { models: new Map([["endless", endless]]), state, aborted: aborted.promise };
}

/**
 * A model with vectors that follow from the texts: the length of the text, then the lengths of its words. A word is a token.
 */
export function createEmbeddingModel() {
  const asked: EmbeddingRequest[] = [];
  const counting: EmbeddingModel = {
    inputTokens: 100,
    countTokens: (text) => echoModel.countTokens(text),
    async embed(request) {
      asked.push(request);
      const { inputs, dimensions = 3 } = request;
      await new Promise((resolve) => setImmediate(resolve));
      const vectors = inputs.map((input) => {
        const numbers = typeof input === "string" ? [...input].map((char) => char.charCodeAt(0) / 256) : input;
        return Float32Array.from({ length: dimensions }, (_, index) => numbers[index] ?? 0);
      });
      const counts = inputs.map((one) => (typeof one === "string" ? echoModel.countTokens(one) : one.length));
      const promptTokens = counts.reduce((sum, count) => sum + count, 0);
      return { vectors, usage: { promptTokens, estimated: false } };
    },
  };
  return { embeddingModels: new Map([["counting", counting]]), asked };
}

/** A model that computes no vectors until it is stopped. */
export function createStuckEmbeddingModel() {
  const aborted = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const stuck: EmbeddingModel = {
    inputTokens: 100,
    countTokens: (text) => echoModel.countTokens(text),
    embed({ signal }) {
      asked.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.resolve();
          reject(new Error("aborted"));
        });
      });
    },
  };
  return { embeddingModels: new Map([["stuck", stuck]]), asked: asked.promise, aborted: aborted.promise };
}
