import { randomUUID } from "node:crypto";
import { createSlots } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import { type BusLink, type EventOf, topics } from "@telex/ground/bus";
import type { AiBusEvents } from "./bus-events.ts";

/** Events of a reply, as texts. */
export interface ReplyPart {
  /** Empty if the model has sent no piece since. */
  readonly texts: readonly string[];
  /** True for the last part. */
  readonly isOver: boolean;
}

/** The position of a reader in a reply. */
export interface ReplyPosition {
  readonly reply: string;
  readonly userId: number;
  /** The number of the last event that the reader has had. */
  readonly after: number;
}

/** A question of a reader on another server for the next part of a reply. */
export interface ReplyAsk extends ReplyPosition {
  /** Identifies the reader. A new question replaces the reader's earlier one. */
  readonly asker: string;
}

/** Replies that are read on another server than the one that runs them. */
export interface RemoteReplies {
  /**
   * Gives other servers the replies of this one.
   * @param read the next events of a reply, within a second; null if this server does not keep it, or the question was replaced
   */
  offer(read: (ask: ReplyAsk) => Promise<ReplyPart | null>): void;
  /**
   * The events of a reply after a position, from the server that runs it; null if no server has it. If that server stops answering, the
   * events end with `ai_unavailable` after at most 8 s.
   * @param left aborted when the reader has left, also before the reading has begun: no more questions are sent
   * @throws TelexError `rate_limited` if the user looks for too many replies simultaneously
   */
  read(position: ReplyPosition, left: AbortSignal): Promise<AsyncIterable<string> | null>;
}

export interface RemoteRepliesLink extends RemoteReplies {
  readonly heard: {
    readonly ask: (event: EventOf<AiBusEvents, "reply_ask">) => void;
    readonly part: (event: EventOf<AiBusEvents, "reply_part">) => void;
  };
}

/** Milliseconds until a question is asked again: the bus may have lost it, or its answer. */
const patience = 2000;
/** The same for the first question, which has no answer if no server has the reply. A server answers after 1 s if the model is silent. */
const firstPatience = 1500;
/** Questions without an answer after which the server is gone. */
const attempts = 4;
const firstAttempts = 3;

/** Maximum replies that one user looks for simultaneously: each question reaches every server. */
const mostLookups = 32;

interface Waiting {
  readonly number: number;
  readonly resolve: (part: ReplyPart | null) => void;
}

function createQuestions({ bus, clock }: { readonly bus: BusLink<AiBusEvents>; readonly clock: Clock }) {
  const waiting = new Map<string, Waiting>();
  let requests = 0;
  const once = async (ask: ReplyAsk, number: number, time: number): Promise<ReplyPart | null> => {
    const { promise, resolve } = Promise.withResolvers<ReplyPart | null>();
    waiting.set(ask.asker, { number, resolve });
    const calm = clock.after(time, () => resolve(null));
    bus.publish({ kind: "reply_ask", ...ask, number });
    const part = await promise;
    calm();
    waiting.delete(ask.asker);
    return part;
  };
  return {
    async ask(ask: ReplyAsk, most: number, time: number, left: AbortSignal): Promise<ReplyPart | null> {
      // All attempts have one number: a late answer to an earlier one is as good, if the bus takes longer than an attempt.
      requests += 1;
      const number = requests;
      for (let attempt = 0; attempt < most && !left.aborted; attempt += 1) {
        const part = await once(ask, number, time);
        if (part !== null) return part;
      }
      return null;
    },
    answered({ asker, number, texts, isOver }: EventOf<AiBusEvents, "reply_part">): void {
      const one = waiting.get(asker);
      if (one?.number === number) one.resolve({ texts, isOver });
    },
    end: (asker: string): void => waiting.get(asker)?.resolve(null),
  };
}

/** Reads and offers replies over the bus. The reader asks for each part, so lost, doubled or late events do no harm. */
export function createRemoteReplies(deps: {
  readonly bus: BusLink<AiBusEvents>;
  readonly clock: Clock;
}): RemoteRepliesLink {
  const { bus } = deps;
  const questions = createQuestions(deps);
  const lookups = createSlots(mostLookups);
  const offered: ((ask: ReplyAsk) => Promise<ReplyPart | null>)[] = [];

  const answer = async (read: (typeof offered)[number], ask: ReplyAsk, number: number): Promise<void> => {
    const part = await read(ask);
    const { reply, asker } = ask;
    if (part !== null) bus.publish({ kind: "reply_part", reply, asker, number, ...part });
  };
  async function* follow(position: ReplyAsk, first: ReplyPart, left: AbortSignal): AsyncGenerator<string> {
    let { after } = position;
    for (let part = first; ;) {
      for (const text of part.texts) {
        after += 1;
        yield text;
      }
      if (part.isOver) return;
      const next = await questions.ask({ ...position, after }, attempts, patience, left);
      if (left.aborted) return;
      if (next === null) throw new TelexError("ai_unavailable");
      part = next;
    }
  }
  const find = async (position: ReplyPosition, left: AbortSignal): Promise<AsyncIterable<string> | null> => {
    const ask = { ...position, asker: randomUUID() };
    const following = bus.follow(topics.reply(position.reply));
    const end = (): void => {
      following.end();
      questions.end(ask.asker);
    };
    left.addEventListener("abort", end, { once: true });
    await following.ready;
    const first = await questions.ask(ask, firstAttempts, firstPatience, left);
    if (first !== null) return follow(ask, first, left);
    end();
    return null;
  };
  return {
    offer: (read) => void offered.push(read),
    async read(position, left) {
      if (!bus.hasPeers) return null;
      const leave = lookups.take(position.userId);
      if (leave === null) throw new TelexError("rate_limited", { retryAfter: 2 });
      return await find(position, left).finally(leave);
    },
    heard: {
      ask({ kind: _kind, number, ...ask }) {
        for (const read of offered) void answer(read, ask, number);
      },
      part: (event) => questions.answered(event),
    },
  };
}
