import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createOnce, type Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { BusLink, EventOf } from "@telex/ground/bus";
import { readNoteAs } from "@telex/ground/leases";
import type { AccountQuestion, GatewaysBusEvents, ServerQuestion } from "../bus-events.ts";

interface Asked<Schema extends z.ZodType> {
  /** The name of the server in its leases. */
  readonly server: string;
  readonly question: ServerQuestion;
  readonly answer: Schema;
  /** Milliseconds for which the server may say nothing, not even that it is at work. */
  readonly patience: number;
}

export type Unanswered = "elsewhere" | "silent" | "unsupported";

/**
 * `elsewhere`: that server does not have the account. `silent`: it has said nothing for too long. `unsupported`: it is of a version that
 * does not know the question.
 */
type AccountAnswer<Answer> = Answer | Unanswered;

/**
 * Does the work that another server requests. Null if this server does not have the account; `unsupported` for a question that it does not know;
 * otherwise something that is JSON.
 */
export type DoAsked = (question: AccountQuestion) => Promise<object | boolean | "unsupported" | null>;

export interface AccountQuestions {
  ask<Schema extends z.ZodType>(asked: Asked<Schema>): Promise<AccountAnswer<z.output<Schema>>>;
  /**
   * Lets this server answer questions about accounts. Before this call, it answers `elsewhere`.
   * @param begin says that work is in progress; the returned function, that it is over: the answer has left
   */
  offer(run: DoAsked, begin: () => () => void): void;
  /** Lets this server answer questions about the holders of device queues. */
  offerHolders(find: (holder: string, takesOver: boolean) => Promise<object>): void;
}

export interface AccountQuestionsLink extends AccountQuestions {
  readonly heard: {
    readonly ask: (event: EventOf<GatewaysBusEvents, "account_ask">) => void;
    readonly answer: (event: EventOf<GatewaysBusEvents, "account_answer">) => void;
  };
}

interface QuestionDeps {
  readonly bus: Pick<BusLink<GatewaysBusEvents>, "publish">;
  readonly clock: Clock;
  readonly log: Logger;
  /** The holder of the leases of this server. */
  readonly self: string;
}

/** Milliseconds until a question is asked again: the bus may have lost it, or its answer. */
const askEvery = 1000;

const unsupported = z.literal("unsupported");

function createAsking({ bus, clock, self }: QuestionDeps) {
  const waiting = new Map<string, (answer: string | null) => void>();
  /** The text of the answer; null if the server was silent for too long. */
  const untilAnswered = async ({ server, question, patience }: Asked<z.ZodType>): Promise<string | null> => {
    const key = randomUUID();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const giveUp = (): void => resolve(null);
    let calm = clock.after(patience, giveUp);
    let quiet = (): void => {};
    const say = (): void => {
      bus.publish({ kind: "account_ask", server, asker: self, key, question });
      quiet = clock.after(askEvery, say);
    };
    waiting.set(key, (answer) => {
      if (answer !== null) return resolve(answer);
      calm();
      calm = clock.after(patience, giveUp);
    });
    say();
    return promise.finally(() => {
      calm();
      quiet();
      waiting.delete(key);
    });
  };
  return {
    async ask<Schema extends z.ZodType>(question: Asked<Schema>): Promise<AccountAnswer<z.output<Schema>>> {
      const text = await untilAnswered(question);
      if (text === null) return "silent";
      // An unreadable answer comes from another version.
      return readNoteAs(z.union([unsupported, question.answer]), text) ?? "elsewhere";
    },
    answered: ({ server, key, answer }: EventOf<GatewaysBusEvents, "account_answer">): void => {
      if (server === self) waiting.get(key)?.(answer);
    },
  };
}

/** The answering side. A question that comes again is answered once while that is in progress, and again if its answer was lost. */
function createAnswering({ bus, clock, log, self }: QuestionDeps) {
  const isFirst = createOnce(clock);
  const running = new Set<string>();
  let run: DoAsked = () => Promise.resolve(null);
  let findHolder = (_holder: string, _takesOver: boolean): ReturnType<DoAsked> => Promise.resolve(null);
  let begin = (): (() => void) => () => undefined;
  const find = async (question: ServerQuestion): ReturnType<DoAsked> => {
    if (question.name === "holder") return findHolder(question.holder, question.takesOver ?? false);
    try {
      return await run(question);
    } catch (cause) {
      const { account, name } = question;
      // It is asked again while it fails.
      if (isFirst(`${account} ${name}`)) log.error("gateway.question_failed", { account, question: name }, cause);
      return null;
    }
  };
  return {
    offer(answerer: DoAsked, begun: () => () => void): void {
      run = answerer;
      begin = begun;
    },
    offerHolders: (given: typeof findHolder): void => void (findHolder = given),
    async asked({ server, asker, key, question }: EventOf<GatewaysBusEvents, "account_ask">): Promise<void> {
      if (server !== self) return;
      const tell = (answer: string | null): void => bus.publish({ kind: "account_answer", server: asker, key, answer });
      const place = `${asker} ${key}`;
      if (running.has(place)) return tell(null);
      running.add(place);
      const end = begin();
      const answer = await find(question);
      running.delete(place);
      tell(JSON.stringify(answer));
      end();
    },
  };
}

/** Asks over the bus. Each question is repeated until it is answered, so what the bus loses, doubles or delays does no harm. */
export function createAccountQuestions(deps: QuestionDeps): AccountQuestionsLink {
  const asking = createAsking(deps);
  const answering = createAnswering(deps);
  return {
    ask: (question) => asking.ask(question),
    offer: (run, begin) => answering.offer(run, begin),
    offerHolders: answering.offerHolders,
    heard: { ask: (event) => void answering.asked(event), answer: asking.answered },
  };
}
