import { createHash, randomUUID } from "node:crypto";
import type { Storage } from "@telex/core/storage";

/** The work of a process and its number of clients, as plain JSON. */
export interface RootLoad {
  readonly work: keyof typeof works;
  /** Selects the records that the clients write to. */
  readonly key: number;
  readonly clients: number;
  /** The number of the first client. */
  readonly first: number;
  /** Milliseconds. */
  readonly time: number;
  /** Maximum calls of a client. */
  readonly most: number;
}

/** The result of a {@link RootLoad}. */
export interface RootShare {
  /** Milliseconds of each call that succeeded. */
  readonly took: number[];
  failed: number;
  /** Milliseconds of the whole run. */
  time: number;
}

const life = 86_400_000;
const days = { from: "2026-11-01", to: "2026-12-01" };

async function say({ messages }: Storage, groupId: number): Promise<void> {
  const content = '[{"type":"text","data":{"text":"hello there"}}]';
  const sender = {
    userId: "7",
    external: false,
    nickname: "Ada",
    nicknamePinyin: "Ada",
    botMessageId: null,
    notice: null,
  };
  const times = { createTime: Date.now(), receiveTime: Date.now() };
  const { outcome } = await messages.append({
    message: { groupId, type: 0, content, pinyin: "hello there", ...sender, ...times },
    nonce: { value: randomUUID(), fingerprint: "f", life },
    files: [],
    attachments: [],
    network: null,
    sent: null,
  });
  if (outcome !== "appended") throw new Error(outcome);
}

async function print({ teleprinter }: Storage, deviceId: string): Promise<void> {
  const text = { direction: "to_device", content: "print this", nonceLife: life, queueLimit: 1_000_000 } as const;
  const { outcome } = await teleprinter.append({ deviceId, owner: 7, ...text, nonce: randomUUID(), now: Date.now() });
  if (outcome !== "appended") throw new Error(outcome);
}

/** Reserves and settles a share of the quota, as the reply of a model does. */
async function reply({ ai }: Storage, userId: number): Promise<void> {
  const [reservationId, now] = [randomUUID(), Date.now()];
  const share = { replies: 1, tokens: 10, started: 1 };
  const reservation = { reservationId, userId, day: "2026-11-20", ...share, expiresAt: now + 60_000 };
  const reserved = await ai.reserve({ reservation, unit: "count", max: 1e9, maxStarted: null, days, now });
  const isSettled = await ai.settle({ reservationId, used: { replies: 1, tokens: 7, started: 1 } });
  if (reserved !== "reserved" || !isSettled) throw new Error(reserved);
}

/** Uploads with a code that other clients use, too. Only one succeeds. */
async function upload({ bucket }: Storage, digest: string): Promise<void> {
  const name = randomUUID();
  const md5 = createHash("md5").update(name).digest("hex");
  const file = { md5, sha256: name, size: 3, mime: "text/plain", ext: "", blobId: name };
  const kept = { name: "note.txt", kind: "text", uploader: null, reserved: null };
  const put = { ...kept, unusedUntil: Date.now() + life, now: Date.now() };
  const { outcome } = await bucket.putFile({ file, ...put, code: { digest, storageId: "default" } });
  if (outcome !== "stored" && outcome !== "code_used") throw new Error(outcome);
}

/** The calls of clients. All clients share `key`; `client` differs. */
export const works = {
  room: (storage: Storage, key: number) => () => say(storage, key),
  device: (storage: Storage, key: number) => () => print(storage, `printer-${key}`),
  quota: (storage: Storage, key: number) => () => reply(storage, key),
  code: (storage: Storage, key: number) => () => upload(storage, `code-${key}`),
  rooms: (storage: Storage, key: number, client: number) => () => say(storage, key * 10_000 + client),
} as const;
