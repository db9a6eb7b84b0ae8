import type { OutboxRecord } from "../../records/messages.ts";
import type { SendRoom } from "../../messages/outbox-store.ts";
import type { AccountLeases } from "../accounts/leases.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import { deliver, type DeliverDeps, endUnsent } from "./deliver.ts";
import { offline, type SendOutcome } from "./outcome.ts";

/** Milliseconds between two checks for rooms with waiting messages on an installation of several servers, and after a failure of the storage. */
const lookEvery = 500;

interface WorkerDeps extends DeliverDeps {
  readonly store: DeliverDeps["store"] & Pick<NetworkMessageStore, "findNextSend" | "listWaitingRooms">;
  readonly accountLeases: Pick<AccountLeases, "isHeld" | "hasAny">;
  readonly hasPeers: boolean;
  readonly begin: () => () => void;
  /** A row has ended, on this server if `outcome` is not null. */
  readonly ended: (row: OutboxRecord, outcome: SendOutcome | null) => void;
}

/** Gives messages of the outbox to networks, on the server that has their accounts: those of one room one at a time, in the order of their ids. */
export interface SendWorker {
  wake(room: SendRoom): void;
  isSending(id: string): boolean;
  /** Resolves when the message that is being sent to a room is stored, or has failed. */
  settled(groupId: number): Promise<void>;
  /** Checks for waiting messages: the bus may have lost a `send_wake`, and another server may have had the account. */
  start(): Promise<void>;
  /** Leaves the waiting messages to the other servers. Resolves when those in progress have ended, or after `patience` milliseconds. */
  drain(patience: number): Promise<void>;
  /** Ends the checks. Until then, an instance that closes refuses the messages that wait for its accounts. */
  stop(): void;
}

type InProgress = Map<
  string,
  {
    readonly groupId: number;
    readonly over: Promise<unknown>;
    /** The network may have the message. */
    hasBegun: boolean;
  }
>;

/** The messages of a room that this server sends. */
interface Loop {
  isWoken: boolean;
  /** Resolves when the last message that the network was asked to take is stored, or has failed. */
  stored: Promise<unknown>;
}

const pause = ({ clock }: WorkerDeps): Promise<void> => new Promise((resolve) => clock.after(lookEvery, resolve));

async function findNext(deps: WorkerDeps, room: SendRoom): Promise<OutboxRecord | "unknown" | null> {
  try {
    return await deps.store.findNextSend({ ...room, now: deps.clock.now() });
  } catch (cause) {
    deps.faults.failed("outbox", "find the next message", cause);
    await pause(deps);
    return "unknown";
  }
}

/** Sends a message. Resolves when the network has answered, with false if another server is sending to its room. */
async function sendRow(deps: WorkerDeps, inProgress: InProgress, row: OutboxRecord, loop: Loop): Promise<boolean> {
  const end = deps.begin();
  const { stored: before } = loop;
  const { promise: over, resolve } = Promise.withResolvers<unknown>();
  const sending = { groupId: row.groupId, over, hasBegun: false };
  inProgress.set(row.id, sending);
  const previous = async (): Promise<void> => {
    await before;
    sending.hasBegun = true;
  };
  const delivery = deliver(deps, row, previous);
  const finish = async (): Promise<void> => deps.ended(row, await (await delivery).stored);
  loop.stored = finish()
    .catch((cause: unknown) => deps.faults.failed("outbox", "send", cause))
    .finally(() => {
      inProgress.delete(row.id);
      end();
      resolve(null);
    });
  return (await delivery).isOurs;
}

/** Sends the next message of a room. False if none is left for this server. */
async function sendNext(deps: WorkerDeps, inProgress: InProgress, room: SendRoom, loop: Loop): Promise<boolean> {
  const { accountLeases, hasPeers } = deps;
  if (hasPeers && accountLeases.isHeld(room.account) === false) return false;
  const row = await findNext(deps, room);
  if (row === null || row === "unknown") return row !== null;
  // The server that is sending to this room will send its next message too.
  return (await sendRow(deps, inProgress, row, loop)) || !hasPeers;
}

/** Ends the waiting messages of some rooms, which count as not sent. */
async function refuse({ store, clock, ended }: WorkerDeps, rooms: readonly SendRoom[]): Promise<void> {
  for (const room of rooms) {
    for (;;) {
      const now = clock.now();
      const row = await store.findNextSend({ ...room, now });
      if (row === null) break;
      ended(row, (await endUnsent(store, row, now)) ? { cause: offline() } : null);
    }
  }
}

export function createSendWorker(deps: WorkerDeps): SendWorker {
  const { store, accountLeases, hasPeers, clock, faults, closing } = deps;
  let isStopped = false;
  const draining = { hasBegun: false };
  const inProgress: InProgress = new Map();
  const loops = new Map<string, Loop>();

  const run = async (room: SendRoom, loop: Loop): Promise<void> => {
    while (loop.isWoken) {
      loop.isWoken = false;
      while (!draining.hasBegun && (await sendNext(deps, inProgress, room, loop)));
      await loop.stored;
    }
  };
  const wake = (room: SendRoom): void => {
    const key = JSON.stringify([room.account, room.groupId]);
    const running = loops.get(key);
    if (running !== undefined) return void (running.isWoken = true);
    const loop = { isWoken: true, stored: Promise.resolve() };
    loops.set(key, loop);
    void run(room, loop)
      .catch((cause: unknown) => faults.failed("outbox", "send", cause))
      .finally(() => loops.delete(key));
  };
  const look = async (): Promise<void> => {
    const rooms = accountLeases.hasAny() ? await store.listWaitingRooms({ now: clock.now() }) : [];
    const own = rooms.filter(({ account }) => accountLeases.isHeld(account) === true);
    if (closing.aborted) return refuse(deps, own);
    for (const room of own) wake(room);
  };
  const lookOn = (): void => {
    if (isStopped) return;
    clock.after(lookEvery, lookOn);
    look().catch((cause: unknown) => faults.failed("outbox", "look for waiting messages", cause));
  };
  return {
    wake,
    isSending: (id) => inProgress.has(id),
    async settled(groupId) {
      const ofRoom = Array.from(inProgress.values()).filter((one) => one.hasBegun && one.groupId === groupId);
      await Promise.allSettled(ofRoom.map(({ over }) => over));
    },
    async start() {
      if (hasPeers) return lookOn();
      // A killed process has left these rows, so no caller waits for them.
      const left = store.listWaitingRooms({ now: clock.now() }).then((rooms) => refuse(deps, rooms));
      await left.catch((cause: unknown) => faults.failed("outbox", "end what was left waiting", cause));
    },
    async drain(patience) {
      draining.hasBegun = true;
      const ended = Promise.allSettled(Array.from(inProgress.values(), ({ over }) => over));
      const late = Promise.withResolvers<void>();
      const cancel = clock.after(patience, () => late.resolve());
      await Promise.race([ended, late.promise]).finally(cancel);
    },
    stop: () => void (isStopped = true),
  };
}
