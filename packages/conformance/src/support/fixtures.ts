import assert from "node:assert/strict";
import type {
  DeviceAppend,
  DeviceKey,
  DeviceMessageRecord,
  DeviceScheduleRecord,
  DeviceTake,
  FilePut,
  FileRecord,
  MessageAppend,
  MessageRecord,
  MessageSearch,
  MessageStore,
  SendClaim,
  TeleprinterStore,
  UploadedFile,
  UserRecord,
} from "@telex/core/storage";
import { expectOutcome, withOutcome } from "./expect.ts";

/** The moment at which cases begin, Unix milliseconds. */
export const now = 1_800_000_000_000;
/** Milliseconds for which a nonce counts. */
export const nonceLife = 86_400_000;

/** Texts that a store returns unchanged. */
export const texts: readonly string[] = [
  "hello",
  " two  spaces ",
  "line\nbreak\r\n\ttab",
  "你好，世界",
  "👩‍👩‍👧‍👦 e\u0301 \u{1F600}",
  "\uFEFFmark \u202Eright",
  `'; DROP TABLE messages; -- "$1" \\ % _ {"$gt": 0}`,
  "\u0001\u001F\u007F",
  "长".repeat(2000),
];

/** The device of most cases. */
export const printer: DeviceKey = { deviceId: "printer-1", owner: 7 };

/** Registers a device that was free. */
export async function claim(store: TeleprinterStore, key: DeviceKey = printer): Promise<void> {
  expectOutcome(await store.claimDevice({ ...key, name: "Printer", now }), "claimed");
}

/** A text to the device, with the given differences. */
export const textTo = (content: string, different: Partial<DeviceAppend> = {}): DeviceAppend => ({
  ...printer,
  direction: "to_device",
  content,
  now,
  nonce: null,
  nonceLife,
  queueLimit: 1000,
  ...different,
});

/** A text from the device. */
export const textFrom = (content: string, different: Partial<DeviceAppend> = {}): DeviceAppend =>
  textTo(content, { direction: "from_device", ...different });

/** The direction of texts of which every second one comes from the device. */
export const directionOf = (index: number): DeviceAppend["direction"] =>
  index % 2 === 0 ? "to_device" : "from_device";

/** Stores texts, all called for simultaneously, in their order. */
export const appendTexts = (
  store: TeleprinterStore,
  appends: readonly DeviceAppend[],
): Promise<DeviceMessageRecord[]> =>
  Promise.all(appends.map(async (append) => withOutcome(await store.append(append), "appended").message));

/** A text that is sent later, with the given differences. */
export const scheduled = (id: number, different: Partial<DeviceScheduleRecord> = {}): DeviceScheduleRecord => ({
  ...printer,
  id,
  content: `later ${id}`,
  title: null,
  via: null,
  priority: 3,
  life: null,
  at: now + 1000,
  createdAt: now,
  nonce: null,
  ...different,
});

/** Puts numbered texts into the queue of a device. */
export const fillQueue = (store: TeleprinterStore, count: number, key = printer): Promise<DeviceMessageRecord[]> =>
  appendTexts(
    store,
    Array.from({ length: count }, (_, index) => textTo(`text ${index + 1}`, key)),
  );

/** Options of taking texts that differ from the usual. */
type Taking = Partial<
  Pick<DeviceTake, "limit" | "after" | "holder" | "keep" | "now" | "until" | "withoutRooms" | "order">
>;

/** Takes messages and holds the queue for a minute, or returns its holder. */
export async function takeOrHeld(
  store: TeleprinterStore,
  different: Taking = {},
  key = printer,
): Promise<readonly DeviceMessageRecord[] | string> {
  const usual = { limit: 1000, holder: "poll-1", now, until: now + 60_000 };
  const taken = await store.take({ ...key, ...usual, ...different });
  return taken.outcome === "held" ? taken.holder : withOutcome(taken, "taken").messages;
}

/** Takes messages from a queue that no other one holds. */
export async function take(
  store: TeleprinterStore,
  different: Taking = {},
  key = printer,
): Promise<readonly DeviceMessageRecord[]> {
  const taken = await takeOrHeld(store, different, key);
  assert.ok(typeof taken !== "string", `The queue of ${key.deviceId} is held.`);
  return taken;
}

/** Everything that is stored of a device, newest first. */
export async function pageAll(store: TeleprinterStore, key = printer): Promise<readonly DeviceMessageRecord[]> {
  return withOutcome(await store.page({ ...key, before: null, limit: 10_000 }), "page").messages;
}

/** Ids of records. */
export const idsOf = (records: readonly { readonly id: number }[]): number[] => records.map(({ id }) => id);

/** A message of a room, with the given differences. */
export const messageIn = (
  groupId: number,
  content: string,
  different: Partial<Omit<MessageAppend, "message">> = {},
  message: Partial<MessageAppend["message"]> = {},
): MessageAppend => ({
  message: {
    groupId,
    userId: "7",
    external: false,
    type: 0,
    content,
    pinyin: content,
    nickname: "Ada",
    nicknamePinyin: "Ada",
    createTime: now,
    receiveTime: now,
    botMessageId: null,
    notice: null,
    ...message,
  },
  nonce: null,
  files: [],
  attachments: [],
  network: null,
  sent: null,
  ...different,
});

/** A search in these rooms, with the given differences. */
export const searchFor = (groupIds: readonly number[], different: Partial<MessageSearch> = {}): MessageSearch => ({
  groupIds,
  words: [[[1]]],
  before: null,
  createdAfter: null,
  createdBefore: null,
  limit: 20,
  ...different,
});

/** Stores messages, all called for simultaneously, in their order. */
export const appendMessages = (store: MessageStore, appends: readonly MessageAppend[]): Promise<MessageRecord[]> =>
  Promise.all(appends.map(async (append) => withOutcome(await store.append(append), "appended").message));

/** Fills a room with numbered messages. */
export const fillRoom = (store: MessageStore, groupId: number, count: number): Promise<MessageRecord[]> =>
  appendMessages(
    store,
    Array.from({ length: count }, (_, index) => messageIn(groupId, `message ${index + 1}`)),
  );

/** A message that is about to be sent through an account, with the given differences. */
export const claimOf = (id: string, different: Partial<SendClaim> = {}): SendClaim => ({
  id,
  account: "bot-1",
  groupId: 11,
  userId: "7",
  message: "{}",
  at: now,
  until: now + 1000,
  nonce: null,
  limit: 1000,
  activeSince: 0,
  ...different,
});

/** A person, with the given differences. */
export const person = (different: Partial<UserRecord> = {}): Omit<UserRecord, "userId"> => ({
  nickname: "Ada",
  ext: null,
  phone: null,
  avatar: null,
  ai: null,
  oneBot: null,
  suspended: false,
  createdAt: now,
  ...different,
});

/** Digits that are the MD5 of no known file. */
export const digitsOf = (number: number, length: number): string => number.toString(16).padStart(length, "0");

/** A file that its number identifies. */
export const fileOf = (number: number, different: Partial<FilePut["file"]> = {}): FilePut["file"] => ({
  md5: digitsOf(number, 32),
  sha256: digitsOf(number, 64),
  size: 1000 + number,
  mime: "image/png",
  ext: "png",
  blobId: `${digitsOf(number, 32)}.first`,
  ...different,
});

/** The file that {@link upload} stores, as its user has uploaded it. */
export const uploadedOf = (file: FileRecord, uploadedAt: number): UploadedFile => ({
  ...file,
  name: `${Number.parseInt(file.md5, 16)}.png`,
  kind: "picture",
  uploadedAt,
});

/** An upload by user 7 without a code, kept unused until the moment of its upload, with the given differences. */
export const upload = (
  number: number,
  different: Partial<Omit<FilePut, "file">> = {},
  file: Partial<FilePut["file"]> = {},
): FilePut => ({
  file: fileOf(number, file),
  now,
  unusedUntil: different.now ?? now,
  uploader: 7,
  name: `${number}.png`,
  kind: "picture",
  code: null,
  reserved: null,
  ...different,
});
