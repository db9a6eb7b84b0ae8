import { TelexError } from "@telex/ground/errors";
import { type Clock, second, systemClock } from "@telex/ground/time";
import type { ChatModel, ChatPart, ChatRequest, ReplySetting } from "./model.ts";

/** Options of a model that asks several others. */
export interface FailoverOptions {
  /** Milliseconds without a first piece after which the next model is asked. Default 20 s. The last model has no such limit. */
  readonly silence?: number;
  /** Measures the silence. Default: the clock of the machine. */
  readonly clock?: Clock;
}

type Member = readonly [name: string, model: ChatModel];

/** A reply whose first piece has arrived. */
interface Begun {
  readonly model: string;
  readonly first: ChatPart;
  readonly rest: AsyncIterator<ChatPart>;
}

const silent = Symbol("silent");

/** The first piece, or `silent` if it is late or the caller has left. Rejects if the model fails. */
async function firstOf(
  rest: AsyncIterator<ChatPart>,
  left: AbortSignal,
  { silence = 20 * second, clock = systemClock }: FailoverOptions,
): Promise<IteratorResult<ChatPart> | typeof silent> {
  const { promise, resolve } = Promise.withResolvers<typeof silent>();
  const giveUp = (): void => resolve(silent);
  const stop = clock.after(silence, giveUp);
  left.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([rest.next(), promise]);
  } finally {
    stop();
    left.removeEventListener("abort", giveUp);
  }
}

/** True for a request that no other model would accept. */
const isFaultOfCaller = (error: unknown): boolean => TelexError.is(error) && error.code === "invalid_request";

/** Begins the reply of one model; null if the next model must be asked. */
async function begin([model, member]: Member, request: ChatRequest, options: FailoverOptions): Promise<Begun | null> {
  const late = new AbortController();
  const signal = AbortSignal.any([request.signal, late.signal]);
  const rest = member.reply({ ...request, signal, canRepeat: false })[Symbol.asyncIterator]();
  try {
    const first = await firstOf(rest, request.signal, options);
    request.signal.throwIfAborted();
    if (first !== silent && first.done !== true) return { model, first: first.value, rest };
  } catch (error) {
    if (request.signal.aborted || isFaultOfCaller(error)) throw error;
  }
  late.abort();
  // A model that hangs may never end; its signal is aborted, and its failure has no reader.
  rest.return?.().catch(() => {});
  return null;
}

/** The reply of the first of the models that begins one. The last model is asked without a limit, and its failure is the failure. */
async function* replyOf(
  members: readonly Member[],
  request: ChatRequest,
  options: FailoverOptions,
): AsyncGenerator<ChatPart> {
  for (const member of members.slice(0, -1)) {
    const begun = await begin(member, request, options);
    if (begun === null) continue;
    yield { kind: "answering", model: begun.model };
    yield begun.first;
    yield* { [Symbol.asyncIterator]: () => begun.rest };
    return;
  }
  for (const [model, last] of members.slice(-1)) {
    yield { kind: "answering", model };
    yield* last.reply(request);
  }
}

/** The settings that all of the models take. */
const sharedSettings = ([first, ...others]: readonly ChatModel[]): readonly ReplySetting[] =>
  (first?.takesSettings ?? []).filter((setting) => others.every((model) => model.takesSettings?.includes(setting)));

/**
 * A model that asks several models, one after the other, until one begins a reply: if a model fails before its first piece, or is silent
 * for too long, the next one is asked. A request that a model refuses because of its content is not asked again. The reply counts
 * once in the quota; failed attempts cost nothing.
 * @param members by the names under which they answer, the preferred one first; at least one
 * @throws TypeError without a member
 * @example
 * createFailover([["large", large], ["small", small]], { silence: 10_000 });
 */
export function createFailover(members: readonly Member[], options: FailoverOptions = {}): ChatModel {
  if (members.length === 0) throw new TypeError("createFailover needs at least one model.");
  const models = members.map(([, model]) => model);
  return {
    contextTokens: Math.min(...models.map(({ contextTokens }) => contextTokens)),
    maxOutputTokens: Math.min(...models.map(({ maxOutputTokens }) => maxOutputTokens)),
    takesImages: models.every(({ takesImages }) => takesImages === true),
    takesTools: models.every(({ takesTools }) => takesTools === true),
    takesSettings: sharedSettings(models),
    countTokens: (text) => Math.max(...models.map((model) => model.countTokens(text))),
    reply: (request) => replyOf(members, request, options),
  };
}
