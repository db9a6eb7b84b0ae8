import type { ChatModel } from "@telex/core";

/** A model whose replies the test controls. */
export interface PuppetModel {
  readonly model: ChatModel;
  /** Sends a piece of the current reply, or of the next one. */
  readonly say: (delta: string) => void;
  /** Ends the reply. */
  readonly finish: () => void;
  /** Aborts the reply with an error. */
  readonly fail: () => void;
  /** The number of replies that were stopped. */
  readonly stopped: () => number;
  /** The last request to the model. */
  readonly asked: () => readonly string[];
}

type Step = { readonly delta: string } | "finish" | "fail";

const countTokens = (text: string): number => text.split(/\s+/).length;

export function createPuppetModel(): PuppetModel {
  const steps: Step[] = [];
  let wake = (): void => {};
  let stopped = 0;
  let asked: readonly string[] = [];
  const add = (step: Step): void => {
    steps.push(step);
    wake();
  };
  const next = async (signal: AbortSignal): Promise<Step> => {
    for (;;) {
      if (signal.aborted) {
        stopped += 1;
        signal.throwIfAborted();
      }
      const step = steps.shift();
      if (step !== undefined) return step;
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  };
  const model: ChatModel = {
    contextTokens: 8192,
    maxOutputTokens: 1024,
    countTokens,
    async *reply({ messages, signal }) {
      asked = messages.map(({ role, content }) => `${role}: ${content}`);
      let answer = "";
      for (;;) {
        const step = await next(signal);
        if (step === "fail") throw new Error("The puppet has broken.");
        if (step === "finish") break;
        answer += step.delta;
        yield { kind: "delta", delta: step.delta };
      }
      const usage = { promptTokens: 1, completionTokens: countTokens(answer), estimated: false };
      yield { kind: "end", finishReason: "stop", usage };
    },
  };
  return {
    model,
    say: (delta) => add({ delta }),
    finish: () => add("finish"),
    fail: () => add("fail"),
    stopped: () => stopped,
    asked: () => asked,
  };
}

/** A model that calls this tool once with a path, and then replies that it has finished. */
export const createCallingModel = (tool: string): ChatModel => ({
  contextTokens: 8192,
  maxOutputTokens: 1024,
  takesTools: true,
  countTokens,
  async *reply({ messages }) {
    const usage = { promptTokens: 1, completionTokens: 1, estimated: false };
    if (messages.at(-1)?.role === "tool") {
      yield { kind: "delta", delta: "It is over." };
      yield { kind: "end", finishReason: "stop", usage };
      return;
    }
    yield {
      kind: "tool_call",
      index: 0,
      id: "c",
      name: tool,
      arguments: JSON.stringify({ path: "notes/\u202Ea.txt" }),
    };
    yield { kind: "end", finishReason: "tool_calls", usage };
  },
});
