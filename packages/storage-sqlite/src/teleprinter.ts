import type {
  Clock,
  DeviceAppend,
  DeviceAppended,
  DeviceKey,
  DeviceMessageRecord,
  DeviceRecord,
  DeviceRefusal,
  DeviceTake,
  TeleprinterStore,
} from "@telex/core";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { Holds } from "./holds.ts";
import type { Ids } from "./ids.ts";
import { type SignOfLife, SignsOfLife } from "./signs-of-life.ts";
import { directionCode, prepareDevices, prepareQueue, type StoredDevice } from "./teleprinter-sql.ts";

/** What the store works with. */
export interface TeleprinterParts {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly ids: Ids;
  readonly changes: SqliteChangeFeed;
  readonly clock: Clock;
}

/** Milliseconds from a sign of life to its writing. */
const writeBehind = 1000;

/** Signs of life that are written by one verb: enough to be cheap, few enough not to fill a turn of the event loop. */
const signsPerVerb = 100;

const above = Number.MAX_SAFE_INTEGER;

/**
 * Devices and their texts. The database holds everything but two things, which may end with the process: who holds which
 * undelivered messages, and signs of life that are younger than a second.
 */
export class SqliteTeleprinterStore implements TeleprinterStore {
  readonly #parts: TeleprinterParts;
  readonly #devices: ReturnType<typeof prepareDevices>;
  readonly #queue: ReturnType<typeof prepareQueue>;
  readonly #holds = new Holds();
  readonly #signs = new SignsOfLife();
  #cancelWriting: (() => void) | null = null;

  constructor(parts: TeleprinterParts) {
    this.#parts = parts;
    this.#devices = prepareDevices(parts.database);
    this.#queue = prepareQueue(parts.database);
  }

  claimDevice(
    claim: DeviceKey & { readonly name: string; readonly now: number },
  ): ReturnType<TeleprinterStore["claimDevice"]> {
    return this.#parts.commit.write(
      () => this.#claim(claim),
      ({ outcome }) => {
        if (outcome !== "taken") this.#signs.forget(claim.deviceId);
      },
    );
  }

  touchDevice(touch: DeviceKey & { readonly now: number }): ReturnType<TeleprinterStore["touchDevice"]> {
    return this.#parts.database.read(() => {
      const found = this.#findOwn(touch);
      if ("outcome" in found) return found;
      const device = this.#signs.note(found.device, touch.now);
      this.#writeSoon();
      return { outcome: "touched", device };
    });
  }

  leaveDevice(key: DeviceKey): ReturnType<TeleprinterStore["leaveDevice"]> {
    return this.#parts.commit.write(
      () => {
        const found = this.#findOwn(key);
        if ("outcome" in found) return found;
        this.#devices.leave(found.device.lastSeen, key.deviceId);
        return { outcome: "left", device: { ...found.device, away: true } };
      },
      ({ outcome }) => {
        if (outcome === "left") this.#signs.forget(key.deviceId);
      },
    );
  }

  findDevice(deviceId: string): Promise<DeviceRecord | null> {
    return this.#parts.database.read(() => this.#find(deviceId)?.device ?? null);
  }

  listDevices(owner: number): Promise<readonly DeviceRecord[]> {
    return this.#parts.database.read(() =>
      this.#devices.list
        .all(owner)
        .map(({ device }) => this.#signs.complete(device))
        .toSorted((a, b) => b.lastSeen - a.lastSeen || (a.deviceId < b.deviceId ? -1 : 1)),
    );
  }

  releaseDevice(key: DeviceKey): ReturnType<TeleprinterStore["releaseDevice"]> {
    return this.#parts.commit.write(
      () => {
        const found = this.#findOwn(key);
        if ("outcome" in found) return found;
        this.#devices.remove(key.deviceId);
        this.#parts.changes.record("device", key.deviceId);
        return { outcome: "released" };
      },
      ({ outcome }) => {
        if (outcome !== "released") return;
        this.#signs.forget(key.deviceId);
        this.#holds.forget(key.deviceId);
      },
    );
  }

  append(append: DeviceAppend): Promise<DeviceAppended> {
    return this.#parts.commit.write(
      () => this.#append(append),
      ({ outcome }) => {
        if (outcome === "appended" && append.direction === "from_device") this.#signs.forget(append.deviceId);
      },
    );
  }

  take(take: DeviceTake): ReturnType<TeleprinterStore["take"]> {
    return this.#parts.database.readTogether(() => {
      const found = this.#findOwn(take);
      if ("outcome" in found) return found;
      const messages = found.waiting === 0 ? [] : this.#findFree(take);
      const ids = messages.map(({ id }) => id);
      this.#holds.take(take.deviceId, ids, { holder: take.holder, until: take.until });
      return { outcome: "taken", messages };
    });
  }

  deliver(delivery: {
    readonly deviceId: string;
    readonly holder: string;
    readonly ids: readonly number[];
  }): Promise<readonly number[]> {
    const { deviceId, holder, ids } = delivery;
    return this.#parts.commit.write(
      () => this.#deliver(deviceId, this.#holds.heldBy(deviceId, holder, ids)),
      (marked) => this.#holds.remove(deviceId, marked),
    );
  }

  requeue(release: {
    readonly deviceId: string;
    readonly holder: string;
    readonly ids?: readonly number[];
  }): Promise<void> {
    return this.#parts.database.read(() => this.#holds.release(release.deviceId, release.holder, release.ids));
  }

  acknowledge(
    ack: DeviceKey & { readonly upTo: number; readonly limit: number; readonly now: number },
  ): ReturnType<TeleprinterStore["acknowledge"]> {
    const { database, commit } = this.#parts;
    return database.read(() => database.together(() => this.#peek(ack)) ?? commit.write(() => this.#acknowledge(ack)));
  }

  page(
    page: DeviceKey & { readonly before: number | null; readonly limit: number },
  ): ReturnType<TeleprinterStore["page"]> {
    return this.#parts.database.readTogether(() => {
      const found = this.#findOwn(page);
      if ("outcome" in found) return found;
      const rows = this.#queue.page.all(page.deviceId, page.before ?? above, page.limit + 1);
      return { outcome: "page", messages: rows.slice(0, page.limit), more: rows.length > page.limit };
    });
  }

  /** Writes what is only in memory. The last call. */
  async close(): Promise<void> {
    this.#cancelWriting?.();
    await Promise.allSettled(this.#writeSigns());
  }

  #find(deviceId: string): StoredDevice | null {
    const stored = this.#devices.find.one(deviceId);
    return stored === null ? null : { ...stored, device: this.#signs.complete(stored.device) };
  }

  #findOwn({ deviceId, owner }: DeviceKey): StoredDevice | DeviceRefusal {
    const found = this.#find(deviceId);
    if (found === null) return { outcome: "missing" };
    return found.device.owner === owner ? found : { outcome: "not_owner" };
  }

  #claim({ deviceId, owner, name, now }: Parameters<TeleprinterStore["claimDevice"]>[0]): Claimed {
    const found = this.#findOwn({ deviceId, owner });
    if (!("outcome" in found)) {
      const device = { ...found.device, name, lastSeen: Math.max(found.device.lastSeen, now), away: false };
      this.#devices.rename(name, device.lastSeen, deviceId);
      return { outcome: "renewed", device };
    }
    if (found.outcome === "not_owner") return { outcome: "taken" };
    this.#devices.insert(deviceId, name, owner, now, now);
    this.#parts.changes.record("device", deviceId);
    return { outcome: "claimed", device: { deviceId, name, owner, createdAt: now, lastSeen: now, away: false } };
  }

  #append(append: DeviceAppend): DeviceAppended {
    const found = this.#findOwn(append);
    if ("outcome" in found) return found;
    const repeated = this.#findRepeated(append, found.device);
    if (repeated !== null) return repeated;
    if (append.direction === "to_device" && found.waiting >= append.queueLimit) return { outcome: "full" };
    const message = this.#insert(append);
    if (append.direction === "to_device") {
      this.#devices.enqueue(message.id, append.deviceId);
      return { outcome: "appended", message, device: found.device };
    }
    const lastSeen = Math.max(found.device.lastSeen, append.now);
    this.#devices.see(lastSeen, append.deviceId, append.owner);
    return { outcome: "appended", message, device: { ...found.device, lastSeen, away: false } };
  }

  #findRepeated(append: DeviceAppend, device: DeviceRecord): DeviceAppended | null {
    const { deviceId, direction, nonce, now, nonceLife, content } = append;
    const known = nonce === null ? null : this.#queue.nonce.one(deviceId, directionCode[direction], nonce);
    if (known === null || known.at <= now - nonceLife) return null;
    const message = this.#queue.find.only(deviceId, known.id);
    return message.content === content ? { outcome: "repeated", message, device } : { outcome: "nonce_conflict" };
  }

  #insert({ deviceId, direction, content, now, nonce, nonceLife }: DeviceAppend): DeviceMessageRecord {
    const id = this.#parts.ids.next("device_message");
    const delivered = direction === "from_device";
    this.#queue.insert(deviceId, id, directionCode[direction], content, Number(delivered), now);
    if (nonce !== null) {
      this.#queue.forgetNonces(now - nonceLife);
      this.#queue.keepNonce(deviceId, directionCode[direction], nonce, id, now);
    }
    return { id, deviceId, direction, content, delivered, createdAt: now };
  }

  /** The oldest waiting messages that nobody holds. */
  #findFree({ deviceId, limit, now }: Pick<DeviceTake, "deviceId" | "limit" | "now">): DeviceMessageRecord[] {
    const holds = this.#holds.current(deviceId, now);
    const free: DeviceMessageRecord[] = [];
    let after = holds?.frontier ?? 0;
    while (free.length < limit) {
      const rows = this.#queue.waiting.all(deviceId, after, limit);
      free.push(...rows.filter(({ id }) => holds === null || !holds.holds(id)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) break;
      after = last.id;
    }
    return free.slice(0, limit);
  }

  /** What an acknowledgement answers that has nothing to mark, or null: an empty poll touches no disk. */
  #peek(ack: Acknowledgement): Acknowledged | null {
    const found = this.#findOwn(ack);
    if ("outcome" in found) return found;
    if (ack.upTo > found.newest) return { outcome: "above_newest", newest: found.newest };
    const messages = found.waiting === 0 ? [] : this.#findFree(ack);
    const oldest = messages[0];
    return oldest !== undefined && oldest.id <= ack.upTo ? null : { outcome: "acknowledged", messages, marked: [] };
  }

  #acknowledge(ack: Acknowledgement): Acknowledged {
    const nothing = this.#peek(ack);
    if (nothing !== null) return nothing;
    const holds = this.#holds.current(ack.deviceId, ack.now);
    const ids = this.#queue.waitingIds.all(ack.deviceId, ack.upTo).filter((id) => holds === null || !holds.holds(id));
    const marked = this.#deliver(ack.deviceId, ids);
    return { outcome: "acknowledged", messages: this.#findFree(ack), marked };
  }

  #deliver(deviceId: string, ids: readonly number[]): readonly number[] {
    const marked = ids.filter((id) => this.#queue.deliver(deviceId, id) > 0);
    if (marked.length > 0) this.#devices.dequeue(marked.length, deviceId);
    return marked;
  }

  #writeSoon(): void {
    if (this.#cancelWriting !== null || this.#signs.isEmpty) return;
    this.#cancelWriting = this.#parts.clock.after(writeBehind, () => {
      this.#cancelWriting = null;
      // What could not be written is tried again a second later.
      void Promise.allSettled(this.#writeSigns()).then(() => this.#writeSoon());
    });
  }

  #writeSigns(): Promise<void>[] {
    const signs = this.#signs.list();
    const slices = Array.from({ length: Math.ceil(signs.length / signsPerVerb) }, (_, index) =>
      signs.slice(index * signsPerVerb, (index + 1) * signsPerVerb),
    );
    return slices.map((slice) => this.#writeSlice(slice));
  }

  #writeSlice(signs: readonly SignOfLife[]): Promise<void> {
    return this.#parts.commit.write(
      () => {
        for (const { deviceId, owner, lastSeen } of signs) this.#devices.see(lastSeen, deviceId, owner);
      },
      () => {
        for (const sign of signs) this.#signs.written(sign);
      },
    );
  }
}

/** What {@link TeleprinterStore.claimDevice} answers. */
type Claimed = Awaited<ReturnType<TeleprinterStore["claimDevice"]>>;

/** What {@link TeleprinterStore.acknowledge} is asked for. */
type Acknowledgement = Parameters<TeleprinterStore["acknowledge"]>[0];

/** What {@link TeleprinterStore.acknowledge} answers. */
type Acknowledged = Awaited<ReturnType<TeleprinterStore["acknowledge"]>>;
