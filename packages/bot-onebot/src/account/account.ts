import type { AccountDeps } from "./account-deps.ts";
import type {
  GatewayCheck,
  GatewayLease,
  GatewayMessage,
  GatewayOutcome,
  GatewayReaction,
  GatewayRecall,
  ReactionOutcome,
} from "@telex/core";
import { LRUCache } from "lru-cache";
import type { NetworkMember, NetworkRoom } from "../gateway-types.ts";
import type { Kept } from "../link/keep-socket.ts";
import type { Link, LinkHooks, Role } from "../link/link.ts";
import type { Dialect, Version } from "../wire/dialect.ts";
import type { Ask } from "../wire/frames.ts";
import { checkAccount } from "./check.ts";
import { createRight } from "./right.ts";
import { createConnections } from "./connections.ts";
import type { OneBotAccount } from "./options.ts";
import { failureOf, sendMessage } from "./send.ts";
import type { Session } from "./session.ts";
import { createSpacing } from "./spacing.ts";
import { createStanding, type Standing } from "./standing.ts";

/** The close codes at the end of the instance, and when another server may have the account. */
const closeCodes = { going: 1001, moved: 1012 } as const;
/** Maximum files whose ID in the network is remembered, so that their bytes are uploaded once. */
const filesKnown = 1000;

/** An account of a network, with the connections of its implementation. */
export interface Account {
  readonly options: OneBotAccount;
  /** The digest of its token; null for an account that accepts connections without one. */
  readonly digest: string | null;
  /** True while a connection takes actions. */
  readonly isConnected: boolean;
  readonly isOnline: boolean;
  /** @param version null if the connection has not shown it */
  connect(link: Link, role: Role, version: Version | null): LinkHooks;
  /** Keeps a connection from Telex to the implementation, on one server of the installation. */
  dial(start: (standing: Pick<Standing, "failed">) => Kept): void;
  /** Reaches the implementation from each server of the installation. */
  share(start: (standing: Pick<Standing, "failed">) => Kept): void;
  send(message: GatewayMessage): Promise<GatewayOutcome>;
  /** Tests everything that sending and receiving needs. */
  check(): Promise<readonly GatewayCheck[]>;
  /** Recalls a message. False if the network does not. */
  recall(recall: GatewayRecall): Promise<boolean>;
  /** Adds or removes a reaction to a message. */
  react(reaction: GatewayReaction): Promise<ReactionOutcome>;
  /** The members of a group of the network. Empty if the implementation has no such list; rejects if it does not answer. */
  listMembers(room: NetworkRoom): Promise<readonly NetworkMember[]>;
  /** A member of a group of the network; null if the implementation does not say. */
  findMember(room: NetworkRoom, ext: string): Promise<Pick<NetworkMember, "nickname" | "card"> | null>;
  close(): void;
}

async function findMember(dialect: Dialect | null, ask: Ask, room: NetworkRoom, ext: string) {
  const answer = dialect === null ? null : await ask(dialect.member(room.ext, ext));
  if (dialect === null || answer?.outcome !== "ok") return null;
  // The dialect has chosen between the card and the nickname.
  return { nickname: dialect.readMember(answer.data), card: null };
}

async function listMembers(dialect: Dialect | null, ask: Ask, ext: string): Promise<readonly NetworkMember[]> {
  const answer = dialect === null ? null : await ask(dialect.members(ext));
  // An implementation that refuses has no such list. It is not asked again for some minutes.
  if (answer?.outcome === "failed") return [];
  if (dialect === null || answer?.outcome !== "ok") throw new Error("The implementation has not listed the members.");
  return dialect.readMembers(answer.data);
}

/** Recalls everything that the network has of a message. False if a part of it may stay there. */
async function recallMessage(dialect: Dialect | null, ask: Ask, { room, messageIds }: GatewayRecall): Promise<boolean> {
  const actions = messageIds.flatMap((messageId) => dialect?.recall(room, messageId) ?? []);
  const answers = await Promise.all(actions.map((action) => ask(action)));
  return answers.length > 0 && answers.every(({ outcome }) => outcome === "ok");
}

/** A message may have several ids: the network has reactions to the one that is a text. */
async function react(dialect: Dialect | null, ask: Ask, reaction: GatewayReaction): Promise<ReactionOutcome> {
  if (dialect === null) return { outcome: "offline" };
  const { messageIds, emoji, isRemoval } = reaction;
  const [action] = messageIds.flatMap((messageId) => dialect.react(messageId, emoji, isRemoval) ?? []);
  if (action === undefined) return { outcome: "unsupported" };
  const answer = await ask(action);
  return answer.outcome === "ok" ? { outcome: "done" } : failureOf(answer);
}

/** The state of the connections of an account. */
function stateOf({ slots, session }: Pick<ReturnType<typeof createConnections>, "slots" | "session">) {
  const now = session();
  return {
    isConnected: slots.api !== null,
    isOnline: now?.presence.isOnline === true,
    ext: now?.presence.identity.ext || null,
    version: now === null ? null : String(now.dialect.version),
    implementation: now?.presence.implementation ?? null,
  };
}

/**
 * The account of an installation, offline until an implementation connects.
 * @param digest the digest of its token; null for an account that needs none
 */
export function createAccount(options: OneBotAccount, digest: string | null, deps: AccountDeps): Account {
  const { account } = options;
  const spacing = createSpacing(deps.clock, options.minInterval ?? 1200);
  const uploaded = new LRUCache<string, string>({ max: filesKnown });
  const right = createRight(account, deps.leases, {
    lost() {
      deps.faults.tell(account, "moved");
      slots.close(closeCodes.moved);
      end();
    },
    elsewhere: () => deps.faults.tell(account, "elsewhere"),
    held: () => connections.held(),
    isAlive: () => slots.isAlive(),
  });
  const lease = (): GatewayLease | null => right.lease;
  const standing: Standing = createStanding(deps.clock, lease, () => stateOf(connections));
  const emptied = (): void => {
    // It may come back as another program, or without the files that it had.
    uploaded.clear();
    standing.failed("not_connected", "The connection of the bot has ended.");
  };
  const connections = createConnections(options, deps, { standing, emptied, isHeld: () => lease()?.isHeld === true });
  const { ask, uploads, slots, session, expectVersion, end } = connections;
  const isOnline = (): boolean => session()?.presence.isOnline === true;
  /** Null while the account cannot send. */
  const sending = (): Session | null => (slots.api !== null && isOnline() ? session() : null);
  const dialect = (): Dialect | null => sending()?.dialect ?? null;
  const enter = (link: Link, role: Role, shown: Version | null): LinkHooks => {
    const hooks = slots.add(link, role);
    expectVersion(options.protocol ?? shown);
    return hooks;
  };
  return {
    options,
    digest,
    get isConnected() {
      return slots.api !== null;
    },
    get isOnline() {
      return isOnline();
    },
    connect: (link, role, shown) => right.admit(link, role, () => enter(link, role, shown)),
    dial: (start) => right.dial(() => start(standing)),
    share: (start) => right.share(() => start(standing)),
    check: () => checkAccount({ ...connections, ...deps, standing, right }, options),
    send: (message) => sendMessage(message, { ask, spacing, uploads, uploaded, session: sending }),
    recall: (recalled) => recallMessage(dialect(), ask, recalled),
    react: (reaction) => react(dialect(), ask, reaction),
    listMembers: ({ ext }) => listMembers(dialect(), ask, ext),
    findMember: (room, ext) => findMember(dialect(), ask, room, ext),
    close() {
      slots.close(closeCodes.going);
      end();
      standing.failed("stopped", "The server was stopped, or the account was changed.");
      right.close();
    },
  };
}
