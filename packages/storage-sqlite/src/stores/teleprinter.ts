import type { Clock } from "@telex/core";
import {
  type DeviceClaim,
  type DeviceClaimed,
  type DeviceAppend,
  type DeviceAppended,
  type DeviceKey,
  type DeviceRecord,
  type DeviceRefusal,
  type DeviceTake,
  isNewText,
  newDevice,
  type TeleprinterStore,
} from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import { DeviceSchedules } from "./device-schedules.ts";
import { SqliteScheduleStore } from "./schedule-store.ts";
import { type Acknowledged, type Acknowledgement, DeviceQueue, type DeviceTaken } from "./device-queue.ts";
import { type Claim, ownOf, prepareDevices, seenAt, settableOf, settingOf, type StoredDevice } from "../sql/devices.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import type { Ids } from "../engine/ids.ts";
import { ReadInTick, ReadInTurn } from "../engine/read-in-tick.ts";
import { SignsOfLife } from "./signs-of-life.ts";

interface TeleprinterDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly ids: Ids;
  readonly changes: SqliteChangeFeed;
  readonly clock: Clock;
}

const isClaimed = ({ outcome }: DeviceClaimed): boolean => outcome !== "taken";

/**
 * Devices and their texts. Everything is in the database except the holders of queues and signs of life that are less than a
 * second old, which may be lost with the process.
 */
export class SqliteTeleprinterStore extends SqliteScheduleStore implements TeleprinterStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #queue: DeviceQueue;
  readonly #signs: SignsOfLife;
  readonly #sql: ReturnType<typeof prepareDevices>;
  /** A poll reads its device twice: for the sign of life, and for its messages. */
  readonly #readInTick: ReadInTick<string, StoredDevice | null>;
  readonly #readInTurn: ReadInTurn<string, StoredDevice | null>;

  constructor({ database, commit, ids, changes, clock }: TeleprinterDeps) {
    const queue = new DeviceQueue(database, ids);
    super({ database, commit, queue, schedules: new DeviceSchedules(database) });
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#queue = queue;
    this.#signs = new SignsOfLife(database, commit, clock);
    this.#sql = prepareDevices(database);
    this.#readInTick = new ReadInTick((deviceId) => this.#sql.find.one(deviceId));
    this.#readInTurn = new ReadInTurn(commit, (deviceId) => this.#sql.find.one(deviceId));
  }

  claimDevice(claim: Claim): Promise<DeviceClaimed> {
    const own = { ...claim };
    return this.#signs.writeRow(own.deviceId, () => this.#claim(own), isClaimed);
  }

  pairDevice({ ...claim }: DeviceClaim): Promise<DeviceClaimed> {
    return this.#signs.writeRow(claim.deviceId, () => this.#pair(claim), isClaimed);
  }

  findGeneration(deviceId: string): Promise<number> {
    return this.#database.read(() => this.#sql.findGeneration.one(deviceId) ?? 0);
  }

  countQueued(): Promise<number> {
    return this.#database.read(() => this.#sql.sumWaiting.only());
  }

  amendDevice({
    change,
    ...key
  }: Parameters<TeleprinterStore["amendDevice"]>[0]): ReturnType<TeleprinterStore["amendDevice"]> {
    const own = structuredClone(change);
    return this.#commit.write(() => {
      const match = this.findOwn(key);
      if ("outcome" in match) return match;
      return { outcome: "amended", device: this.#set({ ...match.device, ...own }) };
    });
  }

  touchDevice(touch: DeviceKey & { readonly now: number }): ReturnType<TeleprinterStore["touchDevice"]> {
    return this.#database.read(() => {
      const match = this.#findOwnInTick(touch);
      if ("outcome" in match) return match;
      return { outcome: "touched", device: this.#signs.note(match.device, touch.now) };
    });
  }

  leaveDevice({ deviceId, owner }: DeviceKey): ReturnType<TeleprinterStore["leaveDevice"]> {
    const leave = (): Awaited<ReturnType<TeleprinterStore["leaveDevice"]>> => {
      const match = this.findOwn({ deviceId, owner });
      if ("outcome" in match) return match;
      return { outcome: "left", device: this.#see(match.device, { away: true }) };
    };
    return this.#signs.writeRow(deviceId, leave, ({ outcome }) => outcome === "left");
  }

  findDevice(deviceId: string): Promise<DeviceRecord | null> {
    return this.#database.read(() => this.#find(deviceId)?.device ?? null);
  }

  listDevices(owner: number): Promise<readonly DeviceRecord[]> {
    return this.#database.read(() =>
      this.#sql.list
        .all(owner)
        .map(({ device }) => this.#signs.complete(device))
        .toSorted((a, b) => b.lastSeen - a.lastSeen || (a.deviceId < b.deviceId ? -1 : 1)),
    );
  }

  listPrinters(groupId: number): Promise<readonly DeviceRecord[]> {
    return this.#database.read(() => this.#sql.printers.all(groupId).map(({ device }) => this.#signs.complete(device)));
  }

  releaseDevice({ deviceId, owner }: DeviceKey): ReturnType<TeleprinterStore["releaseDevice"]> {
    return this.#commit.write(
      () => {
        const match = this.findOwn({ deviceId, owner });
        if ("outcome" in match) return match;
        this.#sql.remove(deviceId);
        this.#raiseGeneration(deviceId);
        return { outcome: "released" };
      },
      ({ outcome }) => {
        if (outcome !== "released") return;
        this.#signs.forget(deviceId);
        this.#queue.leases.forget(deviceId);
      },
    );
  }

  append(append: DeviceAppend): Promise<DeviceAppended> {
    const own = { ...append };
    return this.#commit.write(() => {
      const answer = this.#append(own);
      // Here, so that a later departure in the same transaction is later than it.
      if ("device" in answer && own.direction === "from_device") this.#signs.keep(answer.device);
      return answer;
    });
  }

  take(take: DeviceTake): ReturnType<TeleprinterStore["take"]> {
    return this.#database.read(() => {
      const match = this.#findOwnInTick(take);
      if ("outcome" in match) return match;
      return match.waiting === 0 ? this.#queue.take(take, 0) : this.#database.together(() => this.#take(take));
    });
  }

  renew({ deviceId, ...lease }: Parameters<TeleprinterStore["renew"]>[0]): Promise<boolean> {
    return this.#database.read(() => this.#queue.leases.renew(deviceId, lease));
  }

  deliver(delivery: Parameters<TeleprinterStore["deliver"]>[0]): Promise<readonly number[]> {
    const { deviceId, holder, ends = false, ended = null } = delivery;
    const ids = [...delivery.ids];
    const { leases } = this.#queue;
    return this.#commit.write(
      () => (leases.isHeldBy(deviceId, holder) ? this.#queue.deliver(deviceId, ids, ended) : []),
      () => ends && leases.release(deviceId, holder),
    );
  }

  requeue({ deviceId, holder }: Parameters<TeleprinterStore["requeue"]>[0]): Promise<void> {
    return this.#database.read(() => this.#queue.leases.release(deviceId, holder));
  }

  acknowledge({ ...ack }: Acknowledgement): Promise<Acknowledged> {
    const mark = (): Promise<Acknowledged> => this.#commit.write(() => this.#acknowledge(ack));
    return this.#database.read(() => this.#database.together(() => this.#answerWithoutMarking(ack)) ?? mark());
  }

  page(page: Parameters<TeleprinterStore["page"]>[0]): ReturnType<TeleprinterStore["page"]> {
    return this.#database.readTogether(() => {
      const match = this.findOwn(page);
      if ("outcome" in match) return match;
      const rows = this.#queue.page({ ...page, limit: page.limit + 1 });
      return { outcome: "page", messages: rows.slice(0, page.limit), more: rows.length > page.limit };
    });
  }

  /** Writes the changes that are only in memory. */
  flush(): Promise<void> {
    return this.#signs.flush();
  }

  #find(deviceId: string): StoredDevice | null {
    return this.#complete(this.#sql.find.one(deviceId));
  }

  protected findOwn(key: DeviceKey): StoredDevice | DeviceRefusal {
    return ownOf(key, this.#find(key.deviceId));
  }

  /** Like `findOwn`, but not to be called in a transaction. */
  #findOwnInTick(key: DeviceKey): StoredDevice | DeviceRefusal {
    return ownOf(key, this.#complete(this.#readInTick.read(key.deviceId)));
  }

  #complete(stored: StoredDevice | null): StoredDevice | null {
    return stored === null ? null : { ...stored, device: this.#signs.complete(stored.device) };
  }

  #take(take: DeviceTake): DeviceTaken {
    const match = this.findOwn(take);
    if ("outcome" in match) return match;
    return this.#queue.take(take, match.waiting);
  }

  #pair(claim: DeviceClaim): DeviceClaimed {
    const match = this.findOwn(claim);
    const claimed = this.#claim({ ...claim, name: "outcome" in match ? claim.name : match.device.name });
    if ("device" in claimed) this.#raiseGeneration(claim.deviceId);
    return claimed;
  }

  #raiseGeneration(deviceId: string): void {
    this.#sql.raiseGeneration(deviceId);
    this.#changes.record("device", deviceId);
  }

  #claim(claim: Claim): DeviceClaimed {
    const { deviceId, owner, name, now, deviceLimit = Number.POSITIVE_INFINITY } = claim;
    const setting = settingOf(claim);
    const match = this.findOwn(claim);
    if (!("outcome" in match)) {
      const device = this.#set({ ...match.device, name, ...setting });
      return { outcome: "renewed", device: this.#see(device, { now }) };
    }
    if (match.outcome === "not_owner") return { outcome: "taken" };
    if ((this.#sql.count.one(owner) ?? 0) >= deviceLimit) return { outcome: "full" };
    const device = { ...newDevice, deviceId, name, owner, createdAt: now, lastSeen: now, away: false, ...setting };
    this.#sql.insert(deviceId, name, owner, now, now);
    this.#set(device);
    this.#changes.record("device", deviceId);
    return { outcome: "claimed", device };
  }

  /** Writes the columns that claims and changes set. */
  #set(device: DeviceRecord): DeviceRecord {
    this.#sql.set(...settableOf(device), device.deviceId);
    return device;
  }

  #append(append: DeviceAppend): DeviceAppended {
    const isFromDevice = append.direction === "from_device";
    const match = ownOf(append, this.#complete(this.#readInTurn.read(append.deviceId, isFromDevice)));
    if ("outcome" in match) return match;
    const { scheduleId = null } = append;
    if (scheduleId !== null && !this.schedules.has(append.deviceId, scheduleId)) return { outcome: "unscheduled" };
    const named = this.#queue.findRepeated(append);
    const first = isNewText(append, named) ? null : named;
    if (first !== null && first.content !== append.content) return { outcome: "nonce_conflict" };
    if (first === null && !isFromDevice && this.#queue.isFull(append, match.waiting)) return { outcome: "full" };
    const device = isFromDevice ? seenAt(match.device, append.now) : match.device;
    if (scheduleId !== null) this.schedules.remove(append.deviceId, scheduleId);
    if (first !== null) return { outcome: "repeated", message: first, device };
    const room = isFromDevice ? device.roomId !== null : (append.room ?? false);
    return { outcome: "appended", message: this.#queue.insert({ ...append, room }), device };
  }

  /** Writes that a device gave a sign of life or left, including a sign of life in memory. */
  #see(device: DeviceRecord, sign: { readonly now: number } | { readonly away: true }): DeviceRecord {
    const away = "away" in sign;
    const lastSeen = away ? device.lastSeen : Math.max(device.lastSeen, sign.now);
    this.#sql.see(lastSeen, Number(away), device.deviceId);
    return { ...device, lastSeen, away };
  }

  /** Like `answerWithoutMarking` of the queue. */
  #answerWithoutMarking(ack: Acknowledgement): Acknowledged | null {
    const match = this.findOwn(ack);
    return "outcome" in match ? match : this.#queue.answerWithoutMarking(ack, match.waiting);
  }

  #acknowledge(ack: Acknowledgement): Acknowledged {
    return this.#answerWithoutMarking(ack) ?? this.#queue.acknowledge(ack);
  }
}
