import { createRemoteReplies, type RemoteRepliesLink } from "../ai/remote-replies.ts";
import { createBusLink, type EventOf } from "@telex/ground/bus";
import type { BusEvents, BusLink } from "./bus-events.ts";
import type { LiveEvent } from "./live-events.ts";
import type { RoomsBusEvents } from "../rooms/bus-events.ts";
import { isReplayed } from "../messages/live-events.ts";
import { type AccountQuestionsLink, createAccountQuestions } from "../gateways/accounts/questions.ts";
import { createNetworkPeople } from "../gateways/receive/people.ts";
import { createRooms } from "../groups/rooms.ts";
import { createLeases } from "@telex/ground/leases";
import { createLiveConnections } from "@telex/ground/live";
import { createPinyin, createSearchReader, type SearchReader } from "@telex/search-terms";
import { createCache, type Cache } from "@telex/ground/caches";
import { createFanOut, createOrdered, createTogether, createWaiting } from "@telex/ground/concurrency";
import type { TokenHolder } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { createSecurityLog } from "@telex/ground/log";
import { createRatePeers } from "@telex/ground/rates";
import { createIndexing, type Indexing } from "../messages/search/indexing.ts";
import { createRenewal, type Renewal } from "../messages/search/renewal.ts";
import type { CompleteOptions } from "./options/options.ts";
import { Tally } from "../observe/figures.ts";
import { createRoomPresence } from "../rooms/presence.ts";
import { createCatchUp } from "../server/catch-up.ts";
import { createEventHub, type EventHub } from "./events.ts";
import { createLocalVerifier, type LocalVerifier } from "../users/local-verifier.ts";
import { createSuspensions, type Suspensions } from "../users/suspensions.ts";
import type { UserRecord } from "../records/users.ts";

/** The link to the other servers. A server that leaves still answers questions about its accounts: who asks would wait for an answer. */
const joinLater = ({ bus, clock }: Pick<CompleteOptions, "bus" | "clock">): BusLink =>
  createBusLink<BusEvents>(bus, { clock, isForLeaving: ({ kind }) => kind === "account_ask" });

const createUpkeep = (
  deps: Parameters<typeof createIndexing>[0] & Parameters<typeof createRenewal>[0],
): { readonly indexing: Indexing; readonly renewal: Renewal } => ({
  indexing: createIndexing(deps),
  renewal: createRenewal(deps),
});

/** The users of this instance, and their open connections. */
function createKnownUsers({ storage, limits, log }: CompleteOptions) {
  const load = createTogether(
    (userIds: readonly number[]) => storage.users.findUsers(userIds),
    ({ userId }) => userId,
  );
  const users: Cache<number, UserRecord | null> = createCache(limits.userCacheEntries, load);
  const findUser = (userId: number): Promise<UserRecord | null> => users.get(userId);
  const live = createLiveConnections<LiveEvent>();
  const suspensions: Suspensions = createSuspensions({ findUser, live, log });
  return {
    users,
    findUser,
    live,
    suspensions,
    /** A user has changed: the next lookup reads the storage. Resolves when the open connections are up to date. */
    userChanged: async (userId: number): Promise<void> => {
      users.forget(userId);
      await suspensions.changed(userId);
    },
  };
}

export async function createShared(options: CompleteOptions) {
  const { storage, clock, limits, log, plugins, observer } = options;
  const tally = new Tally();
  const knownUsers = createKnownUsers(options);
  const { live } = knownUsers;
  const verifier: LocalVerifier = createLocalVerifier(options);
  const bus = joinLater(options);
  const remoteReplies: RemoteRepliesLink = createRemoteReplies({ bus, clock });
  const pinyin = createPinyin(limits.nameCacheEntries);
  const search: SearchReader = createSearchReader((character) => pinyin.readingsOf(character));
  const endToken = (tokenId: number): void => {
    verifier.forget(tokenId);
    live.endToken(tokenId);
  };
  const leases = createLeases({ store: storage.leases, clock, limits, log, server: options.serverName });
  const peers = bus.hasPeers ? leases : null;
  const accountQuestions: AccountQuestionsLink = createAccountQuestions({ bus, clock, log, self: leases.holder });
  const self = leases.holder;
  const publish = bus.hasPeers ? (event: EventOf<RoomsBusEvents>) => bus.publish(event) : null;
  const roomPresence = createRoomPresence({ clock, limits, self, publish });
  const events: EventHub = createEventHub(plugins, (event, fields, cause) => log.error(event, fields, cause));
  return {
    bus,
    leases,
    accountQuestions,
    ...knownUsers,
    people: createNetworkPeople(storage.messages, limits.nameCacheEntries),
    rooms: createRooms(storage.groups, limits.roomCacheEntries),
    verifier,
    security: createSecurityLog(log, clock),
    tally,
    fanOut: createFanOut<LiveEvent>(limits.fanOutSlice, { tally, observer, isIn: isReplayed }),
    roomPresence,
    catchUp: createCatchUp({ bus, clock, self, peers: () => roomPresence.peers() }),
    remoteReplies,
    rates: createRatePeers((uses) => bus.publish({ kind: "rates_used", uses })),
    waiting: createWaiting(clock),
    ordered: createOrdered(),
    pinyin,
    search,
    ...createUpkeep({ store: storage.messages, pinyin, search, clock, log, leases: peers }),
    events,
    /**
     * Checks that the token is still valid, for calls that take long to arrive.
     * @throws TelexError `invalid_token`
     */
    assertCurrent: (holder: TokenHolder): void => {
      const { expiresAt } = holder;
      const isExpired = expiresAt !== null && expiresAt <= clock.now();
      if (isExpired || live.hasEnded(holder)) throw new TelexError("invalid_token");
    },
    /** Makes the end of a token seen immediately in this process. */
    endToken,
    /** This server has ended a token. */
    tokenEnded: (tokenId: number): void => {
      endToken(tokenId);
      bus.publish({ kind: "token_ended", tokenId });
    },
    /** Ends the tokens that are for an earlier generation of a device. One that was never raised costs one read. */
    endEarlier: async (deviceId: string): Promise<void> => {
      const generation = await storage.teleprinter.findGeneration(deviceId);
      if (generation === 0) return;
      verifier.forgetDevice(deviceId);
      live.endDevice(deviceId, generation);
    },
  };
}

export type Shared = Awaited<ReturnType<typeof createShared>>;
