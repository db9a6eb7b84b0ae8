import type { Clock, GatewayInbox, GatewayMessage, GatewayOutcome, GatewayRecall } from "@telex/core";
import { LRUCache } from "lru-cache";
import type { NetworkMember, NetworkRoom } from "../gateway-types.ts";
import type { Link, LinkHooks, Role } from "../link/link.ts";
import { type Dialect, type Version, versionOf } from "../wire/dialect.ts";
import type { MessageEvent, RecallEvent } from "../wire/events.ts";
import { type Ask, readAnswer, readJson } from "../wire/frames.ts";
import { createCalls } from "./calls.ts";
import { createCatchUp } from "./catch-up.ts";
import type { BotFaults } from "./faults.ts";
import { createFlow } from "./flow.ts";
import { createOpen, type FetchMedia } from "./media.ts";
import type { OneBotAccount } from "./options.ts";
import { suspectAfter } from "./presence.ts";
import { createReceiving } from "./receive.ts";
import { sendMessage } from "./send.ts";
import { createSession, type Session } from "./session.ts";
import { createSlots } from "./slots.ts";
import { createSpacing } from "./spacing.ts";
import { createUploads } from "./uploads.ts";

/** Milliseconds after which a connection that has not shown its version speaks 11. */
const versionTime = 2000;
/** The close code at the end of the instance. */
const closeGoing = 1001;
/** Files whose ID in the network is remembered, so that their bytes are uploaded once. */
const filesKnown = 1000;

/** What an account needs. */
export interface AccountDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
  /** Null before the start and after the end. */
  readonly inbox: () => GatewayInbox | null;
  readonly fetchMedia: FetchMedia;
}

/** An account of a network, with the connections of its implementation. */
export interface Account {
  readonly options: OneBotAccount;
  /** What is kept of its token; null for one that needs none. */
  readonly digest: string | null;
  /** True while a connection takes actions. */
  readonly isConnected: boolean;
  readonly isOnline: boolean;
  /** @param version null if the connection has not shown it */
  connect(link: Link, role: Role, version: Version | null): LinkHooks;
  send(message: GatewayMessage): Promise<GatewayOutcome>;
  /** Recalls a message. False if the network does not. */
  recall(recall: GatewayRecall): Promise<boolean>;
  /** The members of a group of the network. Empty if the implementation has no such list; rejects if it does not answer. */
  listMembers(room: NetworkRoom): Promise<readonly NetworkMember[]>;
  close(): void;
}

/** The connections of an account, and the session that lasts as long as there is one. */
function createLine({ account, protocol }: OneBotAccount, { clock, faults, inbox, fetchMedia }: AccountDeps) {
  const calls = createCalls(clock);
  const uploads = createUploads(clock);
  let session: Session | null = null;
  let cancelGuess = (): void => {};

  const ask: Ask = async (action, signal) => {
    const self = session?.presence.identity.self ?? null;
    const answer = await calls.ask(slots.api, { ...action, self }, signal);
    session?.presence.noteAnswer(answer);
    return answer;
  };
  const open = createOpen({ ask, fetchMedia, readUrl: (data) => session?.dialect.readUrl(data) ?? null });
  const receiving = createReceiving({ account, clock, inbox, ask });
  const { run: catchUp, stop: stopCatchingUp } = createCatchUp({ account, clock, inbox, ask, open, receiving });
  const fault = (what: string): void => faults.tell(account, what);
  const message = (event: MessageEvent, dialect: Dialect): void => {
    const ids = event.isOwn ? uploads.take(event) : [];
    void receiving.take(event, dialect, ids).finally(flow);
    flow();
  };
  const recall = (event: RecallEvent): void => {
    void receiving.takeRecall(event).finally(flow);
    flow();
  };
  const begin = (version: Version): Session => {
    cancelGuess();
    session ??= createSession(version, { clock, ask, open, fault, message, recall, catchUp });
    session.presence.start();
    return session;
  };
  const end = (): void => {
    cancelGuess();
    session?.presence.stop();
    stopCatchingUp();
    session = null;
    calls.lost();
  };
  const received = (text: string): void => {
    const frame = readJson(text);
    const answer = readAnswer(frame);
    const version = versionOf(frame);
    if (answer !== null) calls.answered(answer.echo, answer.answer);
    else if (version === null) fault("a frame that is neither an answer nor an event");
    else (session ?? begin(protocol ?? version)).take(frame);
  };
  const slots = createSlots(clock, {
    opened: () => session?.presence.start(),
    received,
    left: () => (slots.isEmpty ? end() : slots.api === null && calls.lost()),
    silence: () => session?.presence.silence() ?? suspectAfter,
  });
  const flow = createFlow(slots, () => receiving.waiting);
  /** The first frame of a connection may show the version. One that sends none has the older one. */
  const expectVersion = (shown: Version | null): void => {
    if (session !== null) return;
    if (shown !== null && !slots.isEmpty) begin(shown);
    else cancelGuess = clock.after(versionTime, () => void (slots.isEmpty || begin(11)));
  };
  return { ask, uploads, slots, session: () => session, expectVersion, end };
}

/**
 * The account of an installation, offline until an implementation connects.
 * @param digest what is kept of its token; null for one that needs none
 */
export function createAccount(options: OneBotAccount, digest: string | null, deps: AccountDeps): Account {
  const spacing = createSpacing(deps.clock, options.minInterval ?? 1200);
  const uploaded = new LRUCache<string, string>({ max: filesKnown });
  const { ask, uploads, slots, session, expectVersion, end } = createLine(options, deps);
  const isOnline = (): boolean => session()?.presence.isOnline === true;
  /** Null while the account cannot send. */
  const dialect = (): Dialect | null => (slots.api !== null && isOnline() ? (session()?.dialect ?? null) : null);
  return {
    options,
    digest,
    get isConnected() {
      return slots.api !== null;
    },
    get isOnline() {
      return isOnline();
    },
    connect(link, role, shown) {
      const hooks = slots.add(link, role);
      expectVersion(options.protocol ?? shown);
      return hooks;
    },
    send: (message) => sendMessage(message, { ask, spacing, uploads, uploaded, dialect }),
    async recall({ messageId }) {
      const now = dialect();
      return now !== null && (await ask(now.recall(messageId))).outcome === "ok";
    },
    async listMembers({ ext }) {
      const now = dialect();
      const answer = now === null ? null : await ask(now.members(ext));
      // An implementation that refuses has no such list. It is not asked again for some minutes.
      if (answer?.outcome === "failed") return [];
      if (now === null || answer?.outcome !== "ok") throw new Error("The implementation has not listed the members.");
      return now.readMembers(answer.data);
    },
    close() {
      slots.close(closeGoing);
      end();
    },
  };
}
