import { readFile } from "node:fs/promises";
import { type Clock, systemClock } from "@telex/core";

/** One model of a service. */
export interface OpenAiModelOptions {
  /** How Telex calls it. */
  readonly name: string;
  /** How the service calls it. Default: the same. */
  readonly model?: string;
  /** Tokens that prompt and reply may have together. */
  readonly contextTokens: number;
  /** Tokens of a reply where the caller names no other number, and at most. */
  readonly maxOutputTokens: number;
  /** The field in which the service takes that limit. Default `max_tokens`, which nearly all understand. */
  readonly limitField?: "max_tokens" | "max_completion_tokens";
  /** True where messages may hold pictures. Default false. */
  readonly images?: boolean;
  /** True where replies may call tools. Default false. */
  readonly tools?: boolean;
}

/** One model of a service that turns texts into vectors. */
export interface OpenAiEmbeddingModelOptions {
  /** The name of the model in Telex. */
  readonly name: string;
  /** The name of the model in the service. Default: the same. */
  readonly model?: string;
  /** Tokens that one text may have. Default 8192. */
  readonly inputTokens?: number;
}

/** How long a service may take, in milliseconds. The time that the reader of a reply takes does not count. */
export interface OpenAiTimeouts {
  /** For a connection. Default 5 s. */
  readonly connect?: number;
  /**
   * From the first request to the first piece of the reply or thought before it, repeats included; for vectors, to their
   * end. Default 120 s.
   */
  readonly firstDelta?: number;
  /** From one piece to the next. Default 30 s. */
  readonly betweenDeltas?: number;
}

/** An OpenAI-compatible service. */
export interface OpenAiOptions {
  /** The URL before `/chat/completions` and `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** What goes into `Authorization: Bearer`; asked for with each request where it is a function. Omit where none is needed. */
  readonly key?: string | (() => Promise<string>);
  /** The first one becomes the default model. Default: none. */
  readonly models?: readonly OpenAiModelOptions[];
  /** Models that turn texts into vectors. Default: none. */
  readonly embeddingModels?: readonly OpenAiEmbeddingModelOptions[];
  readonly timeouts?: OpenAiTimeouts;
  /** How often a request is repeated that failed before the first piece of its reply. Default 2. */
  readonly retries?: number;
  /** Measures the time-outs. Only differences of its `now` are used. Default: the machine's, which no change of its time disturbs. */
  readonly clock?: Clock;
}

const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (delay, run) => systemClock.after(delay, run),
};

/** The options with every default filled in. */
export interface Complete {
  readonly url: URL;
  readonly key: () => Promise<string>;
  readonly models: readonly Required<OpenAiModelOptions>[];
  readonly embeddingModels: readonly Required<OpenAiEmbeddingModelOptions>[];
  readonly timeouts: Required<OpenAiTimeouts>;
  readonly retries: number;
  readonly clock: Clock;
}

function urlOf(baseUrl: string): URL {
  const isHttp = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  // Without the value: an address may carry a password.
  if (!isHttp) throw new TypeError("baseUrl must be an http or https address, such as https://api.openai.com/v1.");
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") throw new TypeError("baseUrl must not hold a password; use key.");
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

function modelOf(options: OpenAiModelOptions): Required<OpenAiModelOptions> {
  const { name, contextTokens, maxOutputTokens } = options;
  const isRight = [contextTokens, maxOutputTokens].every((tokens) => Number.isSafeInteger(tokens) && tokens > 0);
  if (name === "" || !isRight || maxOutputTokens > contextTokens) {
    throw new TypeError(
      `The model ${JSON.stringify(name)} needs a name, contextTokens, and maxOutputTokens that are not greater than contextTokens.`,
    );
  }
  return { model: name, limitField: "max_tokens", images: false, tools: false, ...options };
}

function embeddingModelOf(options: OpenAiEmbeddingModelOptions): Required<OpenAiEmbeddingModelOptions> {
  const { name, inputTokens = 8192 } = options;
  if (name === "" || !Number.isSafeInteger(inputTokens) || inputTokens < 1) {
    throw new TypeError(`The model ${JSON.stringify(name)} needs a name, and inputTokens of 1 or more.`);
  }
  return { model: name, ...options, inputTokens };
}

/**
 * Fills in the defaults.
 * @throws TypeError for an address or a model that cannot be meant
 */
export function complete(options: OpenAiOptions): Complete {
  const { baseUrl, key = "", models = [], embeddingModels = [], timeouts = {} } = options;
  const { retries = 2, clock = monotonicClock } = options;
  return {
    url: urlOf(baseUrl),
    key: typeof key === "string" ? () => Promise.resolve(key) : key,
    models: models.map(modelOf),
    embeddingModels: embeddingModels.map(embeddingModelOf),
    timeouts: { connect: 5000, firstDelta: 120_000, betweenDeltas: 30_000, ...timeouts },
    retries,
    clock,
  };
}

/**
 * A key in a file, read again for each request, so that it can be replaced while the server runs.
 * @returns a function for {@link OpenAiOptions.key}; it rejects where the file cannot be read or is empty
 */
export const keyFromFile =
  (path: string): (() => Promise<string>) =>
  async () => {
    const key = (await readFile(path, "utf8")).trim();
    if (key === "") throw new Error("the file of the key is empty");
    return key;
  };
