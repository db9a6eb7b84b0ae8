import { LRUCache } from "lru-cache";
import { createLru } from "@telex/ground/caches";
import { TelexError, type Locale } from "@telex/ground/errors";
import { type Clock, second } from "@telex/ground/time";
import type { Logger } from "@telex/ground/log";
import type { DeviceAppend, DeviceKey, TeleprinterStore } from "./store.ts";
import { type DeviceRecord, newText } from "../records/teleprinter.ts";

/** A message of a room, as devices print it. */
export interface PrintableMessage {
  readonly groupId: number;
  /** The device that has sent it, which does not print it again. */
  readonly deviceId: string | null;
  readonly isMember: (userId: number) => boolean;
  readonly mentions: (userId: number) => Promise<boolean>;
  /** The name of the room; null if it has none. */
  readonly title: string | null;
  /** The texts to print: one or more, each short enough for a device. Pictures have at most `columns` columns. */
  readonly texts: (columns: number) => Promise<readonly string[]>;
}

/** The fields of a text. */
type Fields = Required<Pick<DeviceAppend, "title" | "priority" | "expiresAt">>;

interface RoomPrintingDeps {
  readonly store: Pick<TeleprinterStore, "listPrinters">;
  readonly queue: (key: DeviceKey, content: string, fields: Fields) => Promise<unknown>;
  readonly clock: Clock;
  readonly locale: Locale;
  readonly log: Logger;
  readonly begin: () => () => void;
}

/** Rooms whose printers are remembered, and for how many milliseconds: another server may change them. A resolution above 0 sets timers. */
const remembered = { maxSize: 10_000, sizeCalculation: () => 1, ttl: 1000, ttlResolution: 0 };
const countedDevices = 10_000;
/** A message that mentions the owner is more urgent than others. */
const mentionPriority = 4;
/** Columns of a picture on a device that says no width. */
const widest = 64;
/** Messages of one room that wait to be printed: making texts of pictures takes longer than sending them. */
const mostWaiting = 1000;

const droppedTexts: Readonly<Record<Locale, (count: number) => string>> = {
  "zh-CN": (count) => `[等待打印的内容太多，有 ${count} 条没有打印]`,
  en: (count) => `[Too much was waiting: ${count} not printed]`,
};

/** Prints texts on a device, or drops them, also if its queue is full. The count of dropped texts is printed before the next text that fits. */
function createDropping({ queue, locale, log }: RoomPrintingDeps) {
  const dropped = createLru<string, number>(countedDevices);
  const drop = ({ deviceId }: DeviceKey, count: number): void => {
    const before = dropped.get(deviceId) ?? 0;
    if (before === 0) log.warn("device.room_dropped", { deviceId });
    dropped.set(deviceId, before + count);
  };
  /** The number that was reported; more may have been dropped since. */
  const told = ({ deviceId }: DeviceKey, count: number): void => {
    const left = (dropped.get(deviceId) ?? 0) - count;
    if (left > 0) dropped.set(deviceId, left);
    else dropped.delete(deviceId);
  };
  const print = async (key: DeviceKey, texts: readonly string[], fields: Fields): Promise<void> => {
    const missing = dropped.get(key.deviceId) ?? 0;
    const all = missing === 0 ? texts : [droppedTexts[locale](missing), ...texts];
    const first = all.length - texts.length;
    for (const [place, text] of all.entries()) {
      try {
        await queue(key, text, place === first ? fields : { ...fields, title: null });
      } catch (cause) {
        if (TelexError.from(cause).code !== "queue_full") throw cause;
        return drop(key, Math.min(texts.length, all.length - place));
      }
      if (missing > 0 && place === 0) told(key, missing);
    }
  };
  return { print, drop };
}

interface Printers {
  readonly devices: Promise<readonly DeviceRecord[]>;
  /** True once the list has been read and is empty. */
  areNone: boolean;
}

function createPrinters(store: RoomPrintingDeps["store"]) {
  const cache = new LRUCache<number, Printers>(remembered);
  const load = (groupId: number): Printers => {
    const printers: Printers = { devices: store.listPrinters(groupId), areNone: false };
    cache.set(groupId, printers);
    printers.devices.then(
      ({ length }) => (printers.areNone = length === 0),
      () => cache.delete(groupId),
    );
    return printers;
  };
  return {
    list: (groupId: number): Promise<readonly DeviceRecord[]> => (cache.get(groupId) ?? load(groupId)).devices,
    areNone: (groupId: number): boolean => cache.get(groupId)?.areNone ?? false,
    forget: (): void => cache.clear(),
  };
}

async function isFor({ deviceId, owner, roomMentions }: DeviceRecord, message: PrintableMessage): Promise<boolean> {
  if (deviceId === message.deviceId || !message.isMember(owner)) return false;
  return !roomMentions || (await message.mentions(owner));
}

type OnDevice = (device: DeviceRecord, message: PrintableMessage) => Promise<void>;

/** Handles the devices one after another. Never rejects: failures are logged. */
function createEach({ store, log }: RoomPrintingDeps) {
  const printers = createPrinters(store);
  const each = async (message: PrintableMessage, run: OnDevice): Promise<void> => {
    for (const device of await printers.list(message.groupId)) {
      if (!(await isFor(device, message))) continue;
      try {
        await run(device, message);
      } catch (cause) {
        const { deviceId } = device;
        log.warn("device.room_lost", { deviceId, code: TelexError.from(cause).code });
      }
    }
  };
  return {
    printers,
    each: (message: PrintableMessage, run: OnDevice): Promise<void> =>
      each(message, run).catch((cause: unknown) =>
        log.error("device.room_failed", { groupId: message.groupId }, cause),
      ),
  };
}

/** A device says `columns=48` if its lines have 48 characters. */
function columnsOf({ can }: DeviceRecord): number {
  const said = can.find((word) => /^columns=[1-9]\d{0,2}$/.test(word));
  return said === undefined ? widest : Math.min(widest, Number(said.slice("columns=".length)));
}

interface Queue {
  last: Promise<void>;
  waiting: number;
}

/**
 * Prints the messages of rooms on the devices that print them, in their order. Senders do not wait: if a room has more messages than
 * can be printed, messages are dropped and counted.
 */
export function createRoomPrinting(deps: RoomPrintingDeps) {
  const { printers, each } = createEach(deps);
  const onDevice = createDropping(deps);
  const print: OnDevice = async (device, message) => {
    const priority = (await message.mentions(device.owner)) ? mentionPriority : newText.priority;
    const expiresAt = device.roomLife === null ? null : deps.clock.now() + device.roomLife * second;
    const fields = { title: message.title, priority, expiresAt };
    return onDevice.print(device, await message.texts(columnsOf(device)), fields);
  };
  const drop: OnDevice = async (device) => onDevice.drop(device, 1);
  const queues = new Map<number, Queue>();
  const enqueue = (message: PrintableMessage): Promise<void> => {
    const { groupId } = message;
    const queue = queues.get(groupId) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= mostWaiting) return each(message, drop);
    queues.set(groupId, queue);
    queue.waiting += 1;
    queue.last = queue.last
      .then(() => each(message, print))
      .finally(() => {
        queue.waiting -= 1;
        if (queue.waiting === 0) queues.delete(groupId);
      });
    return queue.last;
  };
  return {
    /** Call it after a change of the room that a device prints. */
    forget: printers.forget,
    print: (message: PrintableMessage): void => {
      // Most rooms have no printer, and beginning work for a message costs more than this check.
      if (!printers.areNone(message.groupId)) void enqueue(message).finally(deps.begin());
    },
  };
}
