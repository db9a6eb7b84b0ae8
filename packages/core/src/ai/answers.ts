import { createQueues } from "@telex/ground/concurrency";
import { createLru } from "@telex/ground/caches";
import { describeError, TelexError, type Locale } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { fitPrompt, turnsOf } from "./context.ts";
import type { ChatMessage } from "./model.ts";
import type { ToolUse } from "../records/tool-use.ts";
import type { Chosen, ReplyHands } from "./reply.ts";
import { toMessages } from "@telex/transcripts";

export interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Makes the prompt when the model is ready. Null if the question was recalled. */
export type Listen = (chosen: Chosen) => Promise<readonly ChatMessage[] | null>;

/** The models that answer devices and rooms. */
export interface AnsweringModels {
  /** @throws TelexError `not_found` if there is no such model */
  assert(model: string): void;
  /**
   * The pieces of the answer under the quota of `asker`; none if there is nothing to answer. The signal stops the model.
   * @throws TelexError `quota_exceeded`, `ai_unavailable`, `not_found` if the model is gone
   */
  answer(asker: number, model: string, listen: Listen, how?: AnswerOptions): AsyncIterable<string>;
}

export interface AnswerRequest {
  /** The device or room, and the model. Requests of one device or room are answered one after another. */
  readonly place: string;
  /** The user whose quota the answer counts in. */
  readonly asker: number;
  readonly model: string;
  readonly listen: Listen;
  /** `uses`: the calls of tools of the answer, with its first message. */
  readonly send: (message: string, uses: readonly ToolUse[]) => Promise<unknown>;
  readonly hands: ReplyHands;
}

/** Asks the person of an answer about tools. */
interface AnswerHands extends ReplyHands {
  /** Called for each new state of a call. */
  readonly told: (use: ToolUse) => void;
}

interface AnswerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Without it, the operator's tools are not offered. */
  readonly hands?: AnswerHands;
}

/** Asks for permission of a call, in a text. */
export const questionAbout = ({ server, tool, arguments: input }: ToolUse): string =>
  `${server}.${tool} ${input} yes/no?`;

export interface AnswersDeps {
  readonly answering: AnsweringModels;
  readonly clock: Clock;
  readonly locale: Locale;
  readonly log: Logger;
  readonly begin: () => () => void;
}

/** The texts of a device that fit a model, oldest first. The question is the last one. */
export function promptOf(said: readonly Said[], { model, maxOutputTokens }: Chosen): ChatMessage[] {
  const prompt = {
    systemPrompt: null,
    turns: turnsOf(said.slice(0, -1)),
    asked: { content: said.at(-1)?.content ?? "" },
  };
  return fitPrompt(prompt, model, maxOutputTokens);
}

/** Milliseconds between two failures that are sent to one device or room: a device that returns each text must not cause a loop. */
const failurePause = 60_000;
const rememberedFailures = 1000;

/** Answers, in messages of at most `longest` characters. A failure is sent in place of the answer. */
export function createAnswers(deps: AnswersDeps, longest: number): (request: AnswerRequest) => void {
  const { answering, clock, locale, log, begin } = deps;
  const wait = createQueues(begin);
  const failed = createLru<string, number>(rememberedFailures);

  const sendAll = async ({ send }: AnswerRequest, text: string, uses: readonly ToolUse[]): Promise<void> => {
    for (const [index, message] of toMessages(text, longest).entries()) await send(message, index === 0 ? uses : []);
  };
  const tell = async (request: AnswerRequest, error: TelexError, uses: readonly ToolUse[] = []): Promise<void> => {
    const { code, incident, cause } = error;
    if (cause !== undefined) log.error("ai.answer_failed", { code, incident }, cause);
    const now = clock.now();
    if (uses.length === 0 && now - (failed.get(request.place) ?? -Infinity) < failurePause) return;
    failed.set(request.place, now);
    await sendAll(request, describeError(error, locale), uses);
  };
  const answer = async (request: AnswerRequest): Promise<void> => {
    const { asker, model, listen } = request;
    const uses = new Map<string, ToolUse>();
    let text = "";
    let failure: TelexError | null = null;
    try {
      const hands = { ...request.hands, told: (use: ToolUse) => void uses.set(use.callId, use) };
      for await (const piece of answering.answer(asker, model, listen, { hands })) text += piece;
    } catch (cause) {
      failure = TelexError.from(cause);
    }
    await sendAll(request, text, [...uses.values()]);
    if (failure !== null) await tell(request, failure, text === "" ? [...uses.values()] : []);
  };
  /** The device or the member may be gone, and with it the receiver of the message. */
  const quietly = (sent: Promise<void>): Promise<void> =>
    sent.catch((cause: unknown) => log.warn("ai.answer_lost", { code: TelexError.from(cause).code }));

  return (request) =>
    wait(request.place, {
      work: () => quietly(answer(request)),
      refuse: () => quietly(tell(request, new TelexError("busy"))),
    });
}
