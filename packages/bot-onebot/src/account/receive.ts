import { type Clock, type GatewayInbox, TelexError } from "@telex/core";
import { createInTurn } from "@telex/core/transport";
import { LRUCache } from "lru-cache";
import type { IncomingMessage, IncomingPart, NetworkRoom } from "../gateway-types.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { MessageEvent, ReactionEvent, RecallEvent } from "../wire/events.ts";
import { firstOf } from "../wire/fields.ts";
import type { Ask } from "../wire/frames.ts";
import type { BotFaults } from "../link/faults.ts";

/** Milliseconds for which asking for names may delay a message. */
const nameTime = 3000;
/** Milliseconds by which a clock of the network may be ahead of this server's. Later times are ignored. */
const mostAhead = 86_400_000;
/** Maximum names that are remembered. */
const names = 10_000;
/** Maximum parts of a message, and characters of a text, that a room accepts. */
const limits = { parts: 100, text: 10_000 } as const;

interface ReceiveDeps {
  readonly account: string;
  readonly clock: Clock;
  readonly faults: BotFaults;
  readonly inbox: () => GatewayInbox | null;
  /** Asks the implementation. */
  readonly ask: Ask;
}

/** Handles the events of an account. None of the promises rejects: errors are logged. */
interface Receiving {
  /** @param ids ids of the message in addition to its own */
  take(event: MessageEvent, dialect: Dialect, ids: readonly string[]): Promise<void>;
  /** Takes older messages of a room, which `load` fetches. Messages that arrive in the room during the fetch wait for them. */
  takeOlder(room: NetworkRoom, dialect: Dialect, load: () => Promise<readonly MessageEvent[]>): Promise<void>;
  takeRecall(event: RecallEvent): Promise<void>;
  takeReaction(event: ReactionEvent): Promise<void>;
}

const isTooLong = ({ parts }: MessageEvent): boolean =>
  parts.length > limits.parts || parts.some(({ type, data }) => type === "text" && data.text.length > limits.text);

const cut = (part: IncomingPart): IncomingPart =>
  part.type === "text" ? { type: "text", data: { text: firstOf(part.data.text, limits.text) } } : part;

/** The people whose names are requested. `signal`: aborted when it has taken too long. */
interface Naming {
  readonly dialect: Dialect;
  readonly room: NetworkRoom;
  readonly signal: AbortSignal;
}

/** The names of people, fetched if an event lacks them. */
function createNames({ ask }: Pick<ReceiveDeps, "ask">) {
  const nicknames = new LRUCache<string, string>({ max: names });
  const askName = async (dialect: Dialect, group: string, ext: string, signal: AbortSignal): Promise<string> => {
    const answer = await ask(dialect.member(group, ext), signal);
    return answer.outcome === "ok" ? dialect.readMember(answer.data).slice(0, 128) : "";
  };
  return async ({ dialect, room, signal }: Naming, ext: string, said: string | null): Promise<string> => {
    const key = JSON.stringify([room.kind, room.ext, ext]);
    const isAsked = room.kind === "group" && !signal.aborted;
    const name = said ?? nicknames.get(key) ?? (isAsked ? await askName(dialect, room.ext, ext, signal) : "");
    if (name !== "") nicknames.set(key, name);
    return name.slice(0, 128);
  };
}

/** Turns events into messages for the inbox. */
function createBuild({ account, clock, ask }: Pick<ReceiveDeps, "account" | "clock" | "ask">) {
  const nameOf = createNames({ ask });
  const named = async (part: IncomingPart, naming: Naming): Promise<IncomingPart> => {
    if (part.type !== "at" || part.data.ext === "all") return cut(part);
    const { ext, name = "" } = part.data;
    return { type: "at", data: { ext, name: await nameOf(naming, ext, name === "" ? null : name) } };
  };
  return async (event: MessageEvent, dialect: Dialect, otherIds: readonly string[]): Promise<IncomingMessage> => {
    const { messageId, room, roomName, sender, isOwn } = event;
    const late = new AbortController();
    const cancel = clock.after(nameTime, () => late.abort());
    const naming = { dialect, room, signal: late.signal };
    const name = await nameOf(naming, sender.ext, sender.name);
    const segments: IncomingPart[] = [];
    for (const part of event.parts.slice(0, limits.parts)) segments.push(await named(part, naming));
    cancel();
    const ids = [...event.otherIds, ...otherIds];
    const by = { ext: sender.ext, name };
    const now = clock.now();
    const createTime = event.createTime > now + mostAhead ? now : event.createTime;
    return { account, messageId, otherIds: ids, room, roomName, sender: by, isOwn, createTime, segments };
  };
}

/** Passes messages to the inbox, those of one room in order. */
export function createReceiving({ account, clock, faults, inbox, ask }: ReceiveDeps): Receiving {
  const rooms = createInTurn();
  const build = createBuild({ account, clock, ask });

  /**
   * Passes something of a room to the inbox, after earlier calls. The inbox keeps the order of its calls: the next one need not
   * wait until this one is stored.
   */
  const give = async (room: NetworkRoom, call: () => Promise<{ readonly stored: Promise<unknown> | undefined }>) => {
    try {
      const receipt = await rooms.run(JSON.stringify(room), call);
      await receipt.stored;
    } catch (cause) {
      // The instance has logged the reason for the refusal.
      if (!TelexError.is(cause)) faults.failed(account, "receive", cause);
    }
  };

  return {
    take(event, dialect, ids) {
      if (isTooLong(event)) faults.tell(account, "oversized_message");
      return give(event.room, async () => ({ stored: inbox()?.receive(await build(event, dialect, ids)) }));
    },
    takeOlder: (room, dialect, load) =>
      give(room, async () => {
        const stored: Promise<unknown>[] = [];
        for (const event of await load()) {
          // The instance logs a refused message, and the next one may be accepted.
          const message = await build(event, dialect, []);
          stored.push((inbox()?.receive(message) ?? Promise.resolve()).catch(() => undefined));
        }
        return { stored: Promise.all(stored) };
      }),
    takeRecall: ({ room, messageId, operator }) =>
      give(room, async () => ({ stored: inbox()?.recall({ account, room, messageId, operator }) })),
    takeReaction: ({ room, emoji: all, messageId, operator, isRemoval }) =>
      give(room, async () => {
        const one = { account, room, messageId, operator, isRemoval };
        return { stored: Promise.all(all.map(async (emoji) => inbox()?.react({ ...one, emoji }))) };
      }),
  };
}
