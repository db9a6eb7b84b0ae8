import type { Document, IndexDirection } from "mongodb";
import type { CollectionName } from "./documents.ts";

/** An index of a collection. Its name gives its purpose. */
export interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, IndexDirection>>;
  readonly unique?: true;
  /** Only documents that match are in the index. */
  readonly partialFilterExpression?: Document;
}

const isText = { $type: "string" } as const;
const isNumber: Document = { $type: "number" };

/**
 * Matches one text in a field that may be null. MongoDB does not infer the type from the text: without `$type`, it would not use an
 * index that contains only texts, and would read the whole collection.
 */
export const oneText = (text: string) => ({ $eq: text, ...isText });
/** Matches one number in a field that may be null, see {@link oneText}. */
export const oneNumber = (number: number): Document => ({ $eq: number, ...isNumber });

/**
 * Every collection with its indexes, in addition to the one of ids. They are only declared here: each start compares them with the
 * database and creates the missing ones.
 */
export const collections: { readonly [Name in CollectionName]: readonly Index[] } = {
  users: [
    { name: "ext", key: { ext: 1 }, unique: true, partialFilterExpression: { ext: isText } },
    { name: "oneBots", key: { oneBot: 1 }, partialFilterExpression: { oneBot: isText } },
    { name: "models", key: { ai: 1 }, partialFilterExpression: { ai: isText } },
  ],
  tokens: [
    { name: "digest", key: { digest: 1 }, unique: true },
    { name: "ofUser", key: { userId: 1, _id: 1 } },
  ],
  accounts: [
    { name: "username", key: { usernameKey: 1 }, unique: true },
    { name: "role", key: { role: 1 }, partialFilterExpression: { role: isText } },
  ],
  passkeys: [{ name: "ofUser", key: { userId: 1 } }],
  identities: [{ name: "ofUser", key: { userId: 1 } }],
  signIns: [
    { name: "digest", key: { digest: 1 }, unique: true },
    { name: "ofUser", key: { userId: 1, lastUsedAt: -1 } },
    { name: "age", key: { until: 1 } },
  ],
  links: [
    { name: "digest", key: { digest: 1 }, unique: true },
    { name: "slot", key: { slot: 1 }, unique: true, partialFilterExpression: { slot: isText } },
    { name: "ofMaker", key: { makerId: 1, kind: 1, _id: 1 } },
    { name: "ofKind", key: { kind: 1, _id: 1 } },
    { name: "age", key: { until: 1 } },
  ],
  clients: [],
  grants: [
    { name: "ofUser", key: { userId: 1, _id: 1 } },
    { name: "ofClient", key: { clientId: 1, _id: 1 } },
    { name: "age", key: { until: 1 } },
  ],
  artifacts: [
    { name: "ofGrant", key: { grantId: 1, until: -1, digest: 1 }, partialFilterExpression: { grantId: isText } },
    { name: "uid", key: { uid: 1 }, partialFilterExpression: { uid: isText } },
    { name: "userCode", key: { userCodeDigest: 1 }, unique: true, partialFilterExpression: { userCodeDigest: isText } },
    { name: "age", key: { until: 1 } },
  ],
  keys: [],
  groups: [
    { name: "ext", key: { ext: 1, groupType: 1, bot: 1 }, partialFilterExpression: { ext: isText } },
    { name: "uniqueKey", key: { uniqueKey: 1 }, unique: true, partialFilterExpression: { uniqueKey: isText } },
  ],
  members: [{ name: "ofUser", key: { userId: 1, groupId: 1 } }],
  devices: [
    { name: "ofOwner", key: { owner: 1 } },
    { name: "printers", key: { roomId: 1 }, partialFilterExpression: { roomId: isNumber } },
  ],
  bots: [],
  deviceGenerations: [],
  deviceMessages: [
    { name: "queue", key: { deviceId: 1, id: 1 }, partialFilterExpression: { delivered: false } },
    { name: "lives", key: { expiresAt: 1 }, partialFilterExpression: { expiresAt: isNumber } },
  ],
  deviceSchedules: [
    { name: "due", key: { at: 1, deviceId: 1, id: 1 } },
    { name: "ofOwner", key: { owner: 1 } },
  ],
  deviceNonces: [{ name: "age", key: { at: 1 } }],
  files: [
    { name: "blob", key: { blobId: 1 } },
    { name: "expiry", key: { usedAt: 1, unusedUntil: 1 } },
  ],
  uploads: [{ name: "newest", key: { userId: 1, createdAt: -1, md5: -1 } }],
  attachments: [{ name: "ofFile", key: { md5: 1 } }],
  messages: [
    { name: "history", key: { groupId: 1, id: 1 }, unique: true },
    // One entry for each term, by which the search finds messages.
    { name: "terms", key: { groupId: 1, terms: 1, id: -1 } },
    { name: "edition", key: { edition: 1 } },
    { name: "mentions", key: { groupId: 1, seq: 1, mentions: 1 }, partialFilterExpression: { mentions: isText } },
    // Messages of earlier versions have no such number.
    { name: "amended", key: { groupId: 1, changed: 1 }, partialFilterExpression: { changed: { $gt: 0 } } },
    { name: "unindexed", key: { unindexed: 1, groupId: 1 }, partialFilterExpression: { unindexed: true } },
  ],
  messageNonces: [{ name: "age", key: { at: 1 } }],
  messageFiles: [],
  readMarkers: [],
  messageRecalls: [
    { name: "message", key: { groupId: 1, messageId: 1 }, unique: true },
    { name: "ofRoom", key: { groupId: 1, id: 1 } },
  ],
  fileUses: [
    { name: "ofMessage", key: { groupId: 1, seq: 1 } },
    { name: "ofFile", key: { md5: 1, groupId: 1, seq: 1 } },
  ],
  botMessages: [
    { name: "ofMessage", key: { groupId: 1, seq: 1 } },
    // The key of the record. The ids of the documents are those that earlier versions look up.
    { name: "key", key: { account: 1, botMessageId: 1, groupId: 1 }, unique: true },
  ],
  outbox: [
    { name: "ofRoom", key: { account: 1, groupId: 1 } },
    { name: "waiting", key: { state: 1, account: 1, groupId: 1, _id: 1 } },
    {
      name: "nonce",
      key: { groupId: 1, userId: 1, nonce: 1 },
      unique: true,
      partialFilterExpression: { nonce: isText },
    },
    { name: "age", key: { until: 1 } },
  ],
  networkPeople: [{ name: "person", key: { network: 1, ext: 1 }, unique: true }],
  codes: [{ name: "expiry", key: { expiresAt: 1 } }],
  uploadShares: [],
  allocations: [],
  usage: [],
  reservations: [
    { name: "ofUser", key: { userId: 1 } },
    { name: "expiry", key: { expiresAt: 1 } },
  ],
  conversations: [
    { name: "ofUser", key: { userId: 1, lastMessage: -1, _id: -1 } },
    { name: "byId", key: { userId: 1, _id: -1 } },
  ],
  conversationMessages: [],
  pairings: [
    { name: "code", key: { codeDigest: 1 }, unique: true, partialFilterExpression: { confirmed: false } },
    { name: "expiry", key: { expiresAt: 1 } },
  ],
  counters: [],
  heads: [{ name: "newest", key: { newest: -1 } }],
  quotas: [],
  changes: [{ name: "age", key: { at: 1 } }],
  numbers: [],
  leases: [],
  errands: [
    { name: "open", key: { root: 1, until: 1 }, partialFilterExpression: { isOpen: true } },
    { name: "age", key: { until: 1 } },
  ],
  claims: [{ name: "age", key: { until: 1 } }],
  tickets: [{ name: "age", key: { at: 1 } }],
  turns: [{ name: "age", key: { at: 1 } }],
  posts: [],
  sessions: [],
  meta: [],
};
