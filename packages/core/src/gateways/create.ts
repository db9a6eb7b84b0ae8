import type { Observer } from "../observe/observer.ts";
import type { Logger } from "../log/log.ts";
import type { SharedLimits } from "../contract/shared-limits.ts";
import type { GatewaysLimits } from "./limits.ts";
import type { Zone } from "../time/zone.ts";
import type { Clock } from "../time/clock.ts";
import type { FileRecord } from "../records/bucket.ts";
import type { IncomingFile } from "../blobs/bytes.ts";
import type { AccountQuestions } from "./questions.ts";
import type { Leases } from "../leases/leases.ts";
import type { LeaseStore } from "../leases/store.ts";
import type { BotStore } from "./store.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { Gateway } from "../networks/gateway.ts";
import type { OutboxRowDeps } from "./outbox-rows.ts";
import type { AcceptedSend } from "./accepted.ts";
import type { AnnounceDeps } from "./announce.ts";
import { askForCheck, createCheckAnswers } from "./check.ts";
import { createGatewayFaults } from "./faults.ts";
import { createDispatch, type OutboxPlace } from "./dispatch.ts";
import { createGatewayHolds, holdPrefix } from "./holds.ts";
import { createGatewayLife } from "./lifecycle.ts";
import { createMediaFetches } from "./media.ts";
import { createBotKeeper } from "./keep.ts";
import { createOtherKeys } from "./one-room.ts";
import { createBotsOperator } from "./operator.ts";
import { createNetworkMembers } from "./members.ts";
import { createNetworkNames } from "./names.ts";
import { createNetworkRecalls } from "./recall.ts";
import { createGatewayReceive, type GatewayReceiveDeps } from "./receive.ts";
import { createReaching } from "./reach.ts";
import { createSendFor } from "./send-for.ts";
import { createSendFollow } from "./send-follow.ts";
import { createSendThere } from "./send-there.ts";
import { createSendWait } from "./send-wait.ts";
import { createGatewaySends } from "./send.ts";
import { createServing } from "./serve.ts";

/** Parts of the instance that gateways use. */
export interface GatewaysParts
  extends
    Pick<OutboxRowDeps, "findUploads" | "toGatewayFile">,
    Pick<GatewayReceiveDeps, "people" | "pinyin" | "tally" | "ordered" | "rooms" | "groups" | "unknownRooms"> {
  readonly gateways: readonly Gateway[];
  readonly messages: NetworkMessageStore;
  readonly bots: BotStore;
  readonly leaseStore: LeaseStore;
  readonly leases: Leases & { readonly holder: string };
  readonly questions: AccountQuestions;
  /** False if this is the only server. */
  readonly hasPeers: boolean;
  readonly work: GatewayReceiveDeps["work"];
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
  /** Stores the bytes of a file that was received for a room. */
  readonly receiveFile: (groupId: number, file: IncomingFile) => Promise<FileRecord>;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: GatewaysLimits & SharedLimits;
  readonly log: Logger;
  readonly observer: Pick<Observer, "fault">;
  /** Says in a room, as this user, that an admin changes the account that connects the room. */
  readonly announce: AnnounceDeps["announce"];
  readonly assertCurrent: Parameters<typeof createBotsOperator>[0]["assertCurrent"];
}

/** The gateways that run, and where their accounts are. */
function createAccounts(parts: GatewaysParts) {
  const { leases, leaseStore: store, questions, hasPeers, clock, log, limits, observer } = parts;
  const faults = createGatewayFaults(log, clock, observer);
  const life = createGatewayLife(parts.gateways, { clock, limits, faults });
  const holds = createGatewayHolds({ store, questions, hasPeers, clock, leases, log });
  const reaching = createReaching({ store, questions, hasPeers, clock, holds, self: leases.holder });
  const findOtherKeys = createOtherKeys({ gateways: parts.gateways, store: parts.bots, faults });
  return { faults, life, holds, reaching, findOtherKeys, running: () => life.running() };
}

type Accounts = ReturnType<typeof createAccounts>;

/** Sending for others, and for callers here: see {@link createSendFor}. */
function createSendHere(parts: GatewaysParts, { faults, holds, running }: Accounts) {
  const { messages: store, rooms, ordered, clock, limits, closing } = parts;
  const dispatch = createDispatch({ running, faults, store, clock, limits, closing });
  const accepted = new Map<string, AcceptedSend>();
  /** The members are told from the start on. */
  let publish: GatewayReceiveDeps["publish"] = () => undefined;
  const sendFor = createSendFor({
    findUploads: parts.findUploads,
    toGatewayFile: parts.toGatewayFile,
    store,
    rooms,
    clock,
    limits,
    holds,
    dispatch,
    faults,
    ordered,
    accepted,
    publish: (...given) => publish(...given),
  });
  return { dispatch, accepted, sendFor, tell: (given: GatewayReceiveDeps["publish"]) => void (publish = given) };
}

/** Sending, on this server and on others. */
function createSending(parts: GatewaysParts, { faults, reaching, running }: Accounts, here: SendHere) {
  const { messages: store, questions, hasPeers, ordered, clock, limits, closing } = parts;
  const { dispatch, accepted } = here;
  const self = parts.leases.holder;
  const sendThere = createSendThere({
    running,
    faults,
    store,
    clock,
    limits,
    reaching,
    questions,
    hasPeers,
    sendFor: (place: OutboxPlace) => here.sendFor.send(place),
    closing,
  });
  const follow = createSendFollow({ store, clock, questions, hasPeers, sendThere, self });
  return createGatewaySends({
    running,
    faults,
    store,
    clock,
    limits,
    reaching,
    dispatch,
    sendThere,
    follow,
    accepted,
    self,
    ordered,
  });
}

type SendHere = ReturnType<typeof createSendHere>;

/** Receiving: an inbox for each gateway. */
function createReceiving(
  parts: GatewaysParts,
  { faults, reaching, findOtherKeys }: Accounts,
  {
    dispatch,
    names,
    publish,
    recall,
  }: Pick<GatewayReceiveDeps, "publish" | "recall" | "names"> & Pick<SendHere, "dispatch">,
) {
  const { messages: store, receiveFile, clock, limits, closing } = parts;
  return createGatewayReceive({
    store,
    groups: parts.groups,
    rooms: parts.rooms,
    people: parts.people,
    names,
    pinyin: parts.pinyin,
    tally: parts.tally,
    ordered: parts.ordered,
    unknownRooms: parts.unknownRooms,
    findOtherKeys,
    openMedia: createMediaFetches({ receiveFile, clock, limits, faults, closing }),
    waitForSends: createSendWait({ store, dispatch, reaching, clock, limits }),
    clock,
    limits,
    work: parts.work,
    faults,
    publish,
    recall,
  });
}

/** The people of networks. */
function createPeople({ running, faults, reaching }: Accounts, clock: Clock) {
  const members = createNetworkMembers({ running, faults, clock, reaching });
  return { members, names: createNetworkNames({ running, faults, clock, reaching, members }) };
}

/** The gateways of an instance. They receive from `start` on. */
export function createGateways(parts: GatewaysParts) {
  const { gateways, bots, leaseStore, questions, work, clock, zone, limits, log, closing } = parts;
  const accounts = createAccounts(parts);
  const { faults, life, holds, reaching, running } = accounts;
  const here = createSendHere(parts, accounts);
  const { dispatch, accepted, sendFor } = here;
  const begin = (): (() => void) => work.begin();
  const checking = { store: leaseStore, clock, holder: parts.leases.holder };
  const checked = createCheckAnswers({ ...checking, running, faults, log });
  const keeper = createBotKeeper(gateways, bots, faults);
  const people = createPeople(accounts, clock);
  return {
    sends: createSending(parts, accounts, here),
    /** The connection or device on this server that has sent the message with this id in the outbox, or null. */
    originOf: (sent: string | null): object | null => accepted.get(sent ?? "")?.origin ?? null,
    /** The stored accounts have changed, maybe by another process. */
    botsChanged: keeper.refresh,
    ...people,
    recall: createNetworkRecalls({ running, faults, store: parts.messages, clock, limits, reaching, begin }),
    operator: createBotsOperator({
      gateways,
      store: bots,
      groups: parts.groups,
      leases: leaseStore,
      assertCurrent: parts.assertCurrent,
      announce: parts.announce,
      clock,
      zone,
      faults,
      check: (account) => askForCheck(checking, account),
      changed: keeper.refresh,
    }),
    findOtherKeys: accounts.findOtherKeys,
    /** A lease was taken or released: of an account, or of somebody who asks this server to try one. */
    leaseChanged(name: string): void {
      if (name.startsWith(holdPrefix)) reaching.forget(name.slice(holdPrefix.length));
      checked(name);
    },
    async start({ publish, recall }: Pick<GatewayReceiveDeps, "publish" | "recall">): Promise<void> {
      here.tell(publish);
      await keeper.refresh();
      await life.start(createReceiving(parts, accounts, { dispatch, names: people.names, publish, recall }), holds);
      questions.offer(createServing({ running, faults, clock, limits, holds, sendFor, accepted, closing }), begin);
    },
    close: (): Promise<void> => life.close(),
  };
}
