import type { createFiles } from "../bucket/create.ts";
import type { CompleteOptions } from "../instance/options.ts";
import type { Shared } from "../instance/shared.ts";
import type { Work } from "../instance/work.ts";
import type { AcceptedSend } from "./accepted.ts";
import type { AnnounceDeps } from "./announce.ts";
import { askForCheck, createCheckAnswers } from "./check.ts";
import { createGatewayFaults } from "./faults.ts";
import { createDispatch, type DispatchDeps, type OutboxPlace } from "./dispatch.ts";
import { gatewayFilesOf } from "./files.ts";
import { createGatewayHolds, holdPrefix } from "./holds.ts";
import { createGatewayLife } from "./lifecycle.ts";
import { createMediaFetches } from "./media.ts";
import { createBotKeeper } from "./keep.ts";
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

interface GatewayParts {
  readonly work: Work;
  readonly receiveFile: ReturnType<typeof createFiles>["receive"];
  /** Says in a room, as this user, that an admin changes the account that connects the room. */
  readonly announce: AnnounceDeps["announce"];
}

/** What finds out where an account is. */
function createAccounts(
  { storage, clock, log }: CompleteOptions,
  { leases, accountQuestions: questions, bus }: Shared,
) {
  const deps = { store: storage.leases, questions, hasPeers: bus.hasPeers, clock };
  const holds = createGatewayHolds({ ...deps, leases, log });
  return { holds, reaching: createReaching({ ...deps, holds, self: leases.holder }) };
}

/** What every part of sending needs. */
type Going = Omit<DispatchDeps, "store" | "limits" | "closing"> &
  Pick<CompleteOptions, "limits"> & {
    readonly store: CompleteOptions["storage"]["messages"];
  };

/** Sending, on this server and on others, and for others. */
function createSending(
  options: CompleteOptions,
  shared: Shared,
  { holds, reaching, closing, ...going }: ReturnType<typeof createAccounts> & Going & Pick<Work, "closing">,
) {
  const { accountQuestions: questions, leases, ordered } = shared;
  const { hasPeers } = shared.bus;
  const { bucket } = options.storage;
  const dispatch = createDispatch({ ...going, closing });
  const accepted = new Map<string, AcceptedSend>();
  /** The members are told from the start on. */
  let publish: GatewayReceiveDeps["publish"] = () => undefined;
  const sendFor = createSendFor({
    ...going,
    ...shared,
    holds,
    dispatch,
    findUploads: (userId, md5s) => bucket.findUploads(userId, md5s),
    toGatewayFile: gatewayFilesOf(options),
    accepted,
    publish: (...given) => publish(...given),
  });
  const there = {
    ...going,
    reaching,
    questions,
    hasPeers,
    sendFor: (place: OutboxPlace) => sendFor.send(place),
    closing,
  };
  const sendThere = createSendThere(there);
  const self = leases.holder;
  const follow = createSendFollow({ ...there, sendThere, self });
  const sends = createGatewaySends({ ...going, ordered, reaching, dispatch, sendThere, follow, accepted, self });
  return {
    dispatch,
    /** What other servers ask for. */
    served: { sendFor, accepted },
    sends,
    /** The connection or device on this server that has sent the message with this id in the outbox, or null. */
    originOf: (sent: string | null): object | null => accepted.get(sent ?? "")?.origin ?? null,
    tell: (given: GatewayReceiveDeps["publish"]) => void (publish = given),
  };
}

/** What the operator and admins do with accounts. */
const createOperator = (
  { gateways, storage, clock, zone }: CompleteOptions,
  { assertCurrent }: Shared,
  own: Pick<Parameters<typeof createBotsOperator>[0], "announce" | "faults" | "check" | "changed">,
) =>
  createBotsOperator({
    ...own,
    gateways,
    store: storage.bots,
    groups: storage.groups,
    leases: storage.leases,
    assertCurrent,
    clock,
    zone,
  });

/** The people of networks. */
function createPeople(deps: Parameters<typeof createNetworkMembers>[0]) {
  const members = createNetworkMembers(deps);
  return { members, names: createNetworkNames({ ...deps, members }) };
}

/** The gateways of an instance. They receive from `start` on. */
export function createGateways(
  options: CompleteOptions,
  shared: Shared,
  { work, receiveFile, announce }: GatewayParts,
) {
  const { storage, clock, limits, log, observer, unknownRooms } = options;
  const { closing } = work;
  const faults = createGatewayFaults(log, clock, observer);
  const life = createGatewayLife(options.gateways, { clock, limits, faults });
  const going = { running: () => life.running(), store: storage.messages, clock, limits, faults };
  const accounts = createAccounts(options, shared);
  const { holds, reaching } = accounts;
  const sending = createSending(options, shared, { ...going, ...accounts, closing });
  const { dispatch, served, sends, originOf, tell } = sending;
  const begin = (): (() => void) => work.begin();
  const checking = { store: storage.leases, clock, holder: shared.leases.holder };
  const checked = createCheckAnswers({ ...checking, running: () => life.running(), faults, log });
  const people = createPeople({ ...going, reaching });
  const keeper = createBotKeeper(options.gateways, storage.bots, faults);
  const operator = createOperator(options, shared, {
    announce,
    faults,
    check: (account) => askForCheck(checking, account),
    changed: keeper.refresh,
  });
  return {
    sends,
    originOf,
    /** The stored accounts have changed, maybe by another process. */
    botsChanged: keeper.refresh,
    ...people,
    recall: createNetworkRecalls({ ...going, reaching, begin }),
    operator,
    /** A lease was taken or released: of an account, or of somebody who asks this server to try one. */
    leaseChanged(name: string): void {
      if (name.startsWith(holdPrefix)) reaching.forget(name.slice(holdPrefix.length));
      checked(name);
    },
    async start({ publish, recall }: Pick<GatewayReceiveDeps, "publish" | "recall">): Promise<void> {
      tell(publish);
      await keeper.refresh();
      await life.start(
        createGatewayReceive({
          ...shared,
          ...going,
          groups: storage.groups,
          unknownRooms,
          names: people.names,
          openMedia: createMediaFetches({ receiveFile, clock, limits, faults, closing }),
          waitForSends: createSendWait({ ...going, dispatch, reaching }),
          work,
          publish,
          recall,
        }),
        holds,
      );
      shared.accountQuestions.offer(createServing({ ...going, ...served, holds, closing }), begin);
    },
    close: (): Promise<void> => life.close(),
  };
}
