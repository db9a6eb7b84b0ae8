import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type Clock, type ReplySetting, systemClock } from "@telex/core";

/** One model of the AI SDK. */
export interface AiSdkModelOptions {
  /** A model of a provider, such as `anthropic("claude-x")`. */
  readonly model: LanguageModelV4;
  /** Maximum tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Maximum tokens of a reply, and the number if the caller names none. */
  readonly maxOutputTokens: number;
  /** True if messages may contain pictures. Default false. */
  readonly images?: boolean;
  /** True if replies may call tools. Default false. */
  readonly tools?: boolean;
  /**
   * The settings of a reply that the provider accepts. Default: `temperature`, `topP`, `reasoningEffort` and `responseFormat`. The SDK also knows
   * `seed`, `presencePenalty` and `frequencyPenalty`.
   */
  readonly settings?: readonly ReplySetting[];
  /** Options of the provider for each request, as the SDK expects them. */
  readonly providerOptions?: LanguageModelV4CallOptions["providerOptions"];
}

/** Time limits of a provider, in milliseconds. Time during which the reader of a reply is slow does not count. */
export interface AiSdkTimeouts {
  /** From the first request to the first piece of the reply or of its reasoning, repeats included. Default 120 s. */
  readonly firstDelta?: number;
  /** From one piece to the next. Default 30 s. */
  readonly betweenDeltas?: number;
}

/** Options for all models of a plug-in. */
export interface AiSdkOptions {
  readonly timeouts?: AiSdkTimeouts;
  /** How often to repeat a request that failed before the first piece of its reply. Default 2. */
  readonly retries?: number;
  /** Measures the time limits. Only differences of its `now` are used. Default: the machine's monotonic clock. */
  readonly clock?: Clock;
}

/** The options with every default filled in. */
export interface Complete {
  readonly timeouts: Required<AiSdkTimeouts>;
  readonly retries: number;
  readonly clock: Clock;
}

const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (delay, run) => systemClock.after(delay, run),
};

/** Fills in the defaults. */
export const complete = ({ timeouts = {}, retries = 2, clock = monotonicClock }: AiSdkOptions): Complete => ({
  timeouts: { firstDelta: 120_000, betweenDeltas: 30_000, ...timeouts },
  retries,
  clock,
});

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens > 0;

/** @throws TypeError for a model without a name or with limits that contradict each other */
export function assertModel(name: string, { contextTokens, maxOutputTokens }: AiSdkModelOptions): void {
  if (name !== "" && isCount(contextTokens) && isCount(maxOutputTokens) && maxOutputTokens <= contextTokens) return;
  throw new TypeError(
    `The model ${JSON.stringify(name)} needs a name, contextTokens, and maxOutputTokens that are not greater than contextTokens.`,
  );
}
