import type { SharedLimits } from "@telex/ground/contract";
import type { Logger } from "@telex/ground/log";
import type { Zone, Clock } from "@telex/ground/time";
import type { Observer } from "../observe/observer.ts";
import type { GatewaysLimits } from "./limits.ts";
import type { FileRecord } from "@telex/files/records";
import type { IncomingFile } from "@telex/files/blobs";
import type { AccountQuestions } from "./accounts/questions.ts";
import type { LeaseStore, Leases } from "@telex/ground/leases";
import type { BotStore } from "./store.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { Gateway } from "../networks/gateway.ts";
import type { OutboxRowDeps } from "./send/outbox-rows.ts";
import type { BusLink } from "@telex/ground/bus";
import type { GatewaysBusEvents } from "./bus-events.ts";
import type { SendRoom } from "../messages/outbox-store.ts";
import type { AnnounceDeps } from "./operator/announce.ts";
import { askForCheck, createCheckAnswers } from "./operator/check.ts";
import { createGatewayFaults } from "./faults.ts";
import { createAccountLeases, leasePrefix } from "./accounts/leases.ts";
import { createGatewayLife } from "./accounts/lifecycle.ts";
import { createMediaFetches } from "./receive/media.ts";
import { createBotKeeper } from "./accounts/keep.ts";
import { createOtherKeys } from "./operator/one-room.ts";
import { createBotsOperator } from "./operator/operator.ts";
import { createNetworkMembers } from "./accounts/members.ts";
import { createNetworkNames } from "./accounts/names.ts";
import { createNetworkReactions, createNetworkRecalls } from "./accounts/recall.ts";
import { createGatewayReceive, type GatewayReceiveDeps } from "./receive/receive.ts";
import { createReaching } from "./accounts/reach.ts";
import { createSendWait } from "./receive/send-wait.ts";
import { readKept } from "./send/kept.ts";
import { createOutcomes } from "./send/outcomes.ts";
import { createGatewaySends } from "./send/send.ts";
import { createSendWorker } from "./send/worker.ts";
import { createServing } from "./accounts/serve.ts";

export interface GatewaysParts
  extends
    Pick<OutboxRowDeps, "findUploads" | "toGatewayFile">,
    Pick<
      GatewayReceiveDeps,
      "people" | "findUser" | "pinyin" | "tally" | "ordered" | "rooms" | "groups" | "unknownRooms"
    > {
  readonly gateways: readonly Gateway[];
  readonly messages: NetworkMessageStore;
  readonly bots: BotStore;
  readonly leaseStore: LeaseStore;
  readonly leases: Leases & { readonly holder: string };
  readonly questions: AccountQuestions;
  readonly bus: Pick<BusLink<GatewaysBusEvents>, "hasPeers" | "publish">;
  readonly work: GatewayReceiveDeps["work"];
  readonly closing: AbortSignal;
  /** Stores the bytes of a file that was received for a room. */
  readonly receiveFile: (groupId: number, file: IncomingFile) => Promise<FileRecord>;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: GatewaysLimits & SharedLimits;
  readonly log: Logger;
  readonly observer: Pick<Observer, "fault">;
  readonly announce: AnnounceDeps["announce"];
  readonly assertCurrent: Parameters<typeof createBotsOperator>[0]["assertCurrent"];
}

function createAccounts(parts: GatewaysParts) {
  const { leases, leaseStore: store, questions, clock, log, limits, observer } = parts;
  const { hasPeers } = parts.bus;
  const faults = createGatewayFaults(log, clock, observer);
  const life = createGatewayLife(parts.gateways, { clock, limits, faults });
  const accountLeases = createAccountLeases({ store, questions, hasPeers, clock, leases, log });
  const reaching = createReaching({ store, questions, hasPeers, clock, accountLeases, self: leases.holder });
  const findOtherKeys = createOtherKeys({ gateways: parts.gateways, store: parts.bots, faults });
  return { faults, life, accountLeases, reaching, findOtherKeys, running: () => life.running() };
}

type Accounts = ReturnType<typeof createAccounts>;

/** Sending: rows of the outbox, the worker that gives them to networks, and the callers that wait for their outcomes. */
function createSending(parts: GatewaysParts, { faults, accountLeases, reaching, running }: Accounts) {
  const { messages: store, bus, rooms, ordered, clock, limits, closing, findUploads, toGatewayFile, work } = parts;
  const { hasPeers } = bus;
  const self = parts.leases.holder;
  const outcomes = createOutcomes({
    running,
    faults,
    store,
    clock,
    limits,
    reaching,
    hasPeers,
    closing,
    wake: (room) => worker.wake(room),
    isSending: (id) => worker.isSending(id),
  });
  /** Messages are published from the start on. */
  let publish: GatewayReceiveDeps["publish"] = () => undefined;
  const worker = createSendWorker({
    running,
    faults,
    store,
    findUploads,
    toGatewayFile,
    rooms,
    clock,
    limits,
    accountLeases,
    hasPeers,
    ordered,
    closing,
    begin: () => work.begin(),
    originOf: (id) => outcomes.originOf(id),
    publish: (...args) => publish(...args),
    ended({ id, message }, outcome) {
      outcomes.ended(id, outcome);
      const server = hasPeers && outcome !== null ? readKept(message).server : null;
      if (server !== null && server !== self) bus.publish({ kind: "send_done", server, id });
    },
  });
  const sends = createGatewaySends({
    running,
    faults,
    store,
    clock,
    limits,
    bus,
    reaching,
    worker,
    outcomes,
    self,
    ordered,
  });
  return { sends, worker, outcomes, publishWith: (publisher: typeof publish) => void (publish = publisher) };
}

type Sending = ReturnType<typeof createSending>;

function createReceiving(
  parts: GatewaysParts,
  { faults, reaching, findOtherKeys }: Accounts,
  {
    worker,
    names,
    publish,
    recall,
    react,
  }: Pick<GatewayReceiveDeps, "publish" | "recall" | "react" | "names"> & Pick<Sending, "worker">,
) {
  const { messages: store, receiveFile, clock, limits, closing } = parts;
  return createGatewayReceive({
    store,
    groups: parts.groups,
    rooms: parts.rooms,
    people: parts.people,
    findUser: parts.findUser,
    names,
    pinyin: parts.pinyin,
    tally: parts.tally,
    ordered: parts.ordered,
    unknownRooms: parts.unknownRooms,
    findOtherKeys,
    openMedia: createMediaFetches({ receiveFile, clock, limits, faults, closing }),
    waitForSends: createSendWait({ store, worker, reaching, clock, limits }),
    clock,
    limits,
    work: parts.work,
    faults,
    publish,
    recall,
    react,
  });
}

function createPeople({ running, faults, reaching }: Accounts, clock: Clock) {
  const members = createNetworkMembers({ running, faults, clock, reaching });
  return { members, names: createNetworkNames({ running, faults, clock, reaching, members }) };
}

/** The gateways of an instance. They receive from `start` on. */
export function createGateways(parts: GatewaysParts) {
  const { gateways, bots, leaseStore, questions, work, clock, zone, limits, log } = parts;
  const accounts = createAccounts(parts);
  const { faults, life, accountLeases, reaching, running } = accounts;
  const { sends, worker, outcomes, publishWith } = createSending(parts, accounts);
  const begin = (): (() => void) => work.begin();
  const checking = { store: leaseStore, clock, holder: parts.leases.holder };
  const checked = createCheckAnswers({ ...checking, running, faults, log });
  const refreshBots = createBotKeeper(gateways, bots, faults);
  const people = createPeople(accounts, clock);
  const asking = { running, faults, store: parts.messages, clock, limits, reaching, begin };
  return {
    sends,
    /** The connection or device on this server that has sent the message with this id in the outbox, or null. */
    originOf: (sent: string | null): object | null => outcomes.originOf(sent ?? ""),
    heard: {
      wake: (room: SendRoom): void => worker.wake(room),
      done: (id: string): void => outcomes.ended(id, null),
    },
    /** The stored accounts have changed, maybe by another process. */
    botsChanged: refreshBots,
    ...people,
    recall: createNetworkRecalls(asking),
    react: createNetworkReactions(asking),
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
      changed: refreshBots,
    }),
    findOtherKeys: accounts.findOtherKeys,
    /** A lease was taken or released: of an account, or of a check that this server may answer. */
    leaseChanged(name: string): void {
      if (name.startsWith(leasePrefix)) reaching.forget(name.slice(leasePrefix.length));
      checked(name);
    },
    async start({ publish, ...changing }: Pick<GatewayReceiveDeps, "publish" | "recall" | "react">): Promise<void> {
      publishWith(publish);
      await refreshBots();
      await life.start(
        createReceiving(parts, accounts, { worker, names: people.names, publish, ...changing }),
        accountLeases,
      );
      questions.offer(createServing({ running, faults, clock, limits, accountLeases }), begin);
      await worker.start();
    },
    /** Leaves the messages that wait for networks to the other servers, before they take over the accounts. */
    drain: (): Promise<void> => worker.drain(limits.gatewayAnswerTime),
    close(): Promise<void> {
      worker.stop();
      return life.close();
    },
  };
}
