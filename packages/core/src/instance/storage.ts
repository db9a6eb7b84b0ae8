import { everyOf } from "@telex/ground/contract";
import type { GrantStore } from "../accounts/grant-store.ts";
import type { KeyStore } from "../accounts/key-store.ts";
import type { AccountStore } from "../accounts/store.ts";
import type { AiStore } from "../ai/store.ts";
import type { BucketStore } from "@telex/files";
import type { BotStore } from "../gateways/store.ts";
import type { GroupStore } from "../groups/store.ts";
import type { LeaseStore } from "@telex/ground/leases";
import type { MessageStore } from "../messages/store.ts";
import type { ObservedCommit } from "../observe/observer.ts";
import type { PairingStore } from "../pairing/store.ts";
import type { TeleprinterStore } from "../teleprinter/store.ts";
import type { ChangeFeed } from "../storage/changes.ts";
import type { RecordStore } from "../transfer/store.ts";
import type { TokenStore, UserStore } from "../users/store.ts";

/** A storage: one object with every store, so that an embedder can replace a single store. */
export interface Storage {
  /** Devices and their texts. */
  readonly teleprinter: TeleprinterStore;
  /** Devices that ask to be paired. */
  readonly pairings: PairingStore;
  /** Quotas and conversations. */
  readonly ai: AiStore;
  /** Records of files, and upload codes. */
  readonly bucket: BucketStore;
  /** People. */
  readonly users: UserStore;
  /** Access tokens. */
  readonly tokens: TokenStore;
  /** Accounts, sessions, and links. */
  readonly accounts: AccountStore;
  /** Applications, and the access that users granted to them. */
  readonly grants: GrantStore;
  /** Secrets that all servers share. */
  readonly keys: KeyStore;
  /** Chat rooms and their members. */
  readonly groups: GroupStore;
  /** Accounts of external networks. */
  readonly bots: BotStore;
  /** Messages of chat rooms. */
  readonly messages: MessageStore;
  /** Work that only one server of the installation does at a time. */
  readonly leases: LeaseStore;
  /** Changes that other processes must see. */
  readonly changes: ChangeFeed;
  /** All data as plain records, for moving it to another storage. */
  readonly records: RecordStore;
  /** False for a storage that ends with the process. */
  readonly durable: boolean;
  /**
   * Calls the listener after each transaction: for metrics, so it MUST NOT cost more than the call. A storage without
   * transactions leaves it out.
   */
  readonly observeCommits?: (listener: (commit: ObservedCommit) => void) => void;
  /**
   * How far the id of a message can be below that of a message of another room that a connection got earlier, if there are several
   * servers: ids cross, and messages that the bus loses come up to 5 s late. Replays begin this much earlier, and clients drop messages that they have.
   * Default 0: one server, whose ids follow the order of commit over all rooms.
   */
  readonly idOverlap?: number;
  /** Rejects if the storage cannot write now, for `/readyz`. */
  probe(): Promise<void>;
  /** Completes the work in progress and releases everything. Later calls reject. */
  close(): Promise<void>;
}

type StoragePart = Exclude<keyof Storage, "durable" | "observeCommits" | "idOverlap" | "probe" | "close">;

/** The stores that a storage must have. */
export const storageParts = everyOf<StoragePart>()([
  "teleprinter",
  "pairings",
  "ai",
  "bucket",
  "users",
  "accounts",
  "grants",
  "keys",
  "tokens",
  "groups",
  "bots",
  "messages",
  "leases",
  "changes",
  "records",
]);

/**
 * Refuses an object that lacks a part: when Telex is made, not at the first call.
 * @throws TypeError naming the missing parts.
 */
export function assertStorage(storage: Storage): void {
  const missing = storageParts.filter((part) => typeof storage[part] !== "object" || storage[part] === null);
  if (missing.length > 0) throw new TypeError(`The storage lacks: ${missing.join(", ")}.`);
}
