import { accountOf, artifactOf, clientOf, grantOf, linkOf, sessionOf, useOf } from "../accounts/fixtures.ts";
import { botOf } from "../stores/bots.ts";
import { leaseOf } from "../stores/leases.ts";
import type { Storage, storageParts } from "@telex/core/storage";
import { claimOf, messageIn, searchFor, now, person, printer, scheduled, textTo, upload } from "../support/fixtures.ts";

type Part = (typeof storageParts)[number];
type Calls<Store> = { readonly [Verb in keyof Store]: (store: Store) => Promise<unknown> };

const group = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
const days = { from: "2026-11-01", to: "2026-12-01" };
const usedNow = { replies: 0, tokens: 1, started: 1 };
const reservation = {
  reservationId: "r",
  userId: 7,
  day: "2026-11-20",
  replies: 1,
  tokens: 1,
  started: 1,
  expiresAt: now + 1,
};
const conversation = { userId: 7, title: "", status: 0, defaultModel: "", lastMessage: now, totalToken: 0 } as const;
const conversationKey = { conversationId: 1, userId: 7 };
/** A turn of the conversation of the calls. */
export const turn = {
  ...conversationKey,
  model: "",
  question: "",
  answer: "",
  finishReason: "stop",
  tokens: 1,
  askedAt: now,
  answeredAt: now,
};
const pairing = { codeDigest: "p", secretDigest: "s", deviceId: "printer-1", name: "Printer", expiresAt: now + 1 };
const code = { codeDigest: "p", userId: 7, now };
const uploadShare = { uploader: 7, until: now + 1, bytes: 1 };
const recall = { groupId: 1, messageId: 1, operatorId: "7", external: false, ownSince: null, content: "", pinyin: "" };
const device = { deviceId: printer.deviceId, holder: "poll-1" };

/** A call of every verb of every store: a verb that is not called here does not compile. */
const calls: { readonly [Name in Part]: Calls<Storage[Name]> } = {
  teleprinter: {
    claimDevice: (store) => store.claimDevice({ ...printer, name: "Printer", now }),
    pairDevice: (store) => store.pairDevice({ ...printer, name: "Printer", now }),
    findGeneration: (store) => store.findGeneration(printer.deviceId),
    amendDevice: (store) => store.amendDevice({ ...printer, change: { name: "Renamed" } }),
    touchDevice: (store) => store.touchDevice({ ...printer, now }),
    leaveDevice: (store) => store.leaveDevice(printer),
    findDevice: (store) => store.findDevice(printer.deviceId),
    listDevices: (store) => store.listDevices(printer.owner),
    listPrinters: (store) => store.listPrinters(1),
    append: (store) => store.append(textTo("text")),
    take: (store) => store.take({ ...printer, limit: 1, holder: "poll-1", now, until: now + 1 }),
    renew: (store) => store.renew({ ...device, until: now + 2 }),
    deliver: (store) => store.deliver({ ...device, ids: [1] }),
    requeue: (store) => store.requeue(device),
    acknowledge: (store) => store.acknowledge({ ...printer, upTo: 0, limit: 1, now }),
    schedule: (store) => store.schedule({ ...scheduled(1), deviceLimit: 10, ownerLimit: 10 }),
    unschedule: (store) => store.unschedule({ ...printer, id: 1 }),
    listSchedules: (store) => store.listSchedules(printer),
    listDue: (store) => store.listDue({ now, limit: 1 }),
    expireTexts: (store) => store.expireTexts({ before: now, limit: 1 }),
    countQueued: (store) => store.countQueued(),
    page: (store) => store.page({ ...printer, before: null, limit: 1 }),
    releaseDevice: (store) => store.releaseDevice(printer),
  },
  pairings: {
    issuePairing: (store) => store.issuePairing({ ...pairing, now }),
    claimPairing: (store) => store.claimPairing(code),
    confirmPairing: (store) => store.confirmPairing({ ...code, issuedBy: null, issuerEndsAt: null }),
    findPairing: (store) => store.findPairing({ secretDigest: "s", now }),
    consumePairing: (store) => store.consumePairing({ secretDigest: "s", now }),
  },
  ai: {
    findAllocation: (store) => store.findAllocation(7),
    assignAllocation: (store) => store.assignAllocation(7, { unit: "count", max: 1, period: "daily" }),
    sumUsage: (store) => store.sumUsage(7, days),
    listUsage: (store) => store.listUsage(7, days),
    reserve: (store) => store.reserve({ reservation, unit: "count", max: 1, maxStarted: null, days, now }),
    touchReservation: (store) =>
      store.touchReservation({ reservationId: "r", expiresAt: now + 1, soFar: { used: usedNow, turn: null } }),
    settleExpired: (store) => store.settleExpired({ now: 0, limit: 1 }),
    settle: (store) => store.settle({ reservationId: "r", used: { replies: 1, tokens: 1, started: 1 }, turn }),
    appendConversation: (store) => store.appendConversation(conversation),
    findConversation: (store) => store.findConversation(conversationKey),
    amendConversation: (store) => store.amendConversation(conversationKey, { title: "" }),
    pageTurns: (store) => store.pageTurns({ ...conversationKey, before: null, limit: 1 }),
    dropConversation: (store) => store.dropConversation(conversationKey),
    pageConversations: (store) => store.pageConversations({ userId: 7, before: 9, limit: 1 }),
    listConversations: (store) => store.listConversations(7, { offset: 0, limit: 1 }),
  },
  bucket: {
    issueCode: (store) => store.issueCode({ digest: "c", storageId: "default", expiresAt: now }),
    findCode: (store) => store.findCode("c"),
    putFile: (store) => store.putFile(upload(1)),
    reserveUpload: (store) => store.reserveUpload(uploadShare, { max: 1, now }),
    releaseUpload: (store) => store.releaseUpload(uploadShare),
    findFile: (store) => store.findFile(upload(1).file.md5),
    listFiles: (store) => store.listFiles({ after: "", limit: 1 }),
    findUploads: (store) => store.findUploads(7, [upload(1).file.md5]),
    listUploads: (store) => store.listUploads({ userId: 7, after: null, limit: 1 }),
    takeUpload: (store) => store.takeUpload({ userId: 7, md5: upload(1).file.md5 }),
    holdUpload: (store) => store.holdUpload({ userId: 7, md5: upload(1).file.md5, until: now }),
    putAttachment: (store) => store.putAttachment({ relativePath: "x", md5: upload(1).file.md5, name: "x" }),
    findAttachment: (store) => store.findAttachment("x"),
    takeExpiredFiles: (store) => store.takeExpiredFiles({ now: 0, imagesBefore: 0, limit: 1 }),
    takeFile: (store) => store.takeFile(upload(1).file.md5),
    keepFile: (store) => store.keepFile(upload(1).file.md5),
    takeExpiredCodes: (store) => store.takeExpiredCodes(0),
    findBlobs: (store) => store.findBlobs([upload(1).file.blobId]),
  },
  users: {
    appendUser: (store) => store.appendUser(person()),
    findUser: (store) => store.findUser(1),
    findUsers: (store) => store.findUsers([1]),
    findUserByExt: (store) => store.findUserByExt("1"),
    listUsers: (store) => store.listUsers({ after: 0, limit: 1 }),
    listModels: (store) => store.listModels(),
    listOneBots: (store) => store.listOneBots(),
    amendUser: (store) => store.amendUser(1, { nickname: "Grace" }),
    suspendUser: (store) => store.suspendUser(1, { suspended: false }),
    dropUser: (store) => store.dropUser(1, now),
  },
  tokens: {
    issueToken: (store) =>
      store.issueToken({ userId: 7, digest: "d", name: null, scopes: [], createdAt: now, expiresAt: null }),
    findToken: (store) => store.findToken("d"),
    listTokens: (store) => store.listTokens({ userId: null, after: 0, limit: 1 }),
    listLiveTokens: (store) => store.listLiveTokens(7, { now, limit: 1 }),
    touchToken: (store) => store.touchToken(1, now),
    revokeToken: (store) => store.revokeToken({ digest: "d" }, now),
  },
  accounts: {
    createAccount: (store) => store.createAccount(accountOf("ada", {}, { user: 1 })),
    findAccount: (store) => store.findAccount({ userId: 1 }),
    findAccounts: (store) => store.findAccounts([1]),
    listAccounts: (store) => store.listAccounts({ after: 0, limit: 1 }),
    hasAdmin: (store) => store.hasAdmin(),
    amendAccount: (store) => store.amendAccount({ userId: 1, rev: 1, change: {} }),
    sweepAccounts: (store) => store.sweepAccounts({ now: 0, limit: 1 }),
    createSession: (store) => store.createSession(sessionOf(1, "s"), { rev: 1, limit: 1 }),
    findSession: (store) => store.findSession("s", now),
    listSessions: (store) => store.listSessions(1, now),
    touchSession: (store) => store.touchSession({ userId: 1, sessionId: "s", lastUsedAt: now, until: now + 1 }),
    confirmSession: (store) => store.confirmSession({ userId: 1, sessionId: "s", confirmedAt: now }),
    endSession: (store) => store.endSession({ userId: 1, sessionId: "s" }),
    endSessions: (store) => store.endSessions(1, null),
    issueLink: (store) => store.issueLink(linkOf("l"), 10),
    findLink: (store) => store.findLink(useOf("l")),
    consumeLink: (store) => store.consumeLink(useOf("l")),
    listLinks: (store) => store.listLinks({ kind: "invitation", after: "", limit: 1 }),
    revokeLink: (store) => store.revokeLink({ linkId: "l", kind: "invitation", now }),
  },
  grants: {
    addClient: (store) => store.addClient(clientOf("app")),
    findClient: (store) => store.findClient("app"),
    listClients: (store) => store.listClients({ after: "", limit: 1 }),
    amendClient: (store) => store.amendClient("app", { name: "Other" }),
    dropClient: (store) => store.dropClient("app"),
    putGrant: (store) => store.putGrant(grantOf("g"), 10),
    findGrant: (store) => store.findGrant("g", now),
    listGrants: (store) => store.listGrants(7, now),
    endGrant: (store) => store.endGrant({ grantId: "g" }),
    endGrants: (store) => store.endGrants({ userId: 7 }, 1),
    putArtifact: (store) => store.putArtifact(artifactOf("a", { grantId: null }), { limit: 1 }),
    findArtifact: (store) => store.findArtifact({ model: "RefreshToken", digest: "a" }, now),
    findUserCode: (store) => store.findUserCode("u", now),
    claimUserCode: (store) => store.claimUserCode({ userCodeDigest: "u", by: "s", now }),
    consumeArtifact: (store) => store.consumeArtifact({ model: "RefreshToken", digest: "a", now }),
    dropArtifact: (store) => store.dropArtifact({ model: "RefreshToken", digest: "a" }),
    sweepGrants: (store) => store.sweepGrants({ now: 0, limit: 1 }),
  },
  keys: {
    addKey: (store) => store.addKey({ name: "k", value: "v", createdAt: now }),
    findKey: (store) => store.findKey("k"),
    listKeys: (store) => store.listKeys(""),
    dropKey: (store) => store.dropKey("k"),
  },
  groups: {
    appendGroup: (store) => store.appendGroup(group, [7]),
    appendGroupOnce: (store) => store.appendGroupOnce({ ...group, ext: "2" }, [7], []),
    appendRoom: (store) => store.appendRoom({ ...group, uniqueKey: "k" }, []),
    findRoom: (store) => store.findRoom(1),
    amendRoom: (store) => store.amendRoom({ groupId: 1, rev: 0, change: { topic: "Tea" }, put: [], drop: [] }),
    findGroup: (store) => store.findGroup(1),
    findGroupByExt: (store) => store.findGroupByExt({ ext: "1", groupType: 0, bot: null }),
    listGroups: (store) => store.listGroups({ after: 0, limit: 1 }),
    listGroupsOf: (store) => store.listGroupsOf(7),
    listArchivedOf: (store) => store.listArchivedOf(7),
    listMembers: (store) => store.listMembers(1),
    amendMembers: (store) => store.amendMembers(1, { add: [7], remove: [] }),
    amendCard: (store) => store.amendCard(1, 7, "card"),
    amendGroup: (store) => store.amendGroup(1, { name: "Renamed" }),
    dropGroup: (store) => store.dropGroup(1),
  },
  bots: {
    appendBot: (store) => store.appendBot(botOf("a")),
    amendBot: (store) => store.amendBot("a", { protocol: 11 }),
    dropBot: (store) => store.dropBot("a"),
    listBots: (store) => store.listBots(),
  },
  messages: {
    append: (store) => store.append(messageIn(1, "text")),
    page: (store) => store.page({ groupId: 1, before: null, limit: 1 }),
    findMessage: (store) => store.findMessage(1, 1),
    findNetworkMessage: (store) => store.findNetworkMessage({ account: "bot-1", groupId: 1, messageId: "m-1" }),
    listNetworkIds: (store) => store.listNetworkIds(1, 1),
    listFiles: (store) => store.listFiles(1, 1),
    listUsing: (store) =>
      store.listUsing({ md5: upload(1).file.md5, groupIds: [1], after: { groupId: 0, seq: 0 }, limit: 1 }),
    assignNumber: (store) => store.assignNumber({ network: "chat", ext: "U1" }),
    findPerson: (store) => store.findPerson(1),
    listSince: (store) => store.listSince({ groupIds: [1], after: 0, limit: 1, bytes: 1 }),
    findNewest: (store) => store.findNewest([1]),
    findReadings: (store) => store.findReadings(7, [1]),
    findReaders: (store) => store.findReaders({ groupId: 1, seq: 1, userIds: [7] }),
    markRead: (store) => store.markRead({ groupId: 1, userId: 7, upTo: 1 }),
    recall: (store) => store.recall(recall),
    search: (store) => store.search(searchFor([1])),
    listUnindexed: (store) => store.listUnindexed(),
    index: (store) => store.index([{ groupId: 1, seq: 1, id: 1, terms: [1] }]),
    countOutdated: (store) => store.countOutdated(1),
    listOutdated: (store) => store.listOutdated(),
    renew: (store) => store.renew([{ groupId: 1, seq: 1, id: 1, content: "[]", fresh: null }]),
    claimSend: (store) => store.claimSend(claimOf("s-1")),
    startSend: (store) => store.startSend({ ...claimOf("s-1"), now, until: now + 2 }),
    touchSends: (store) => store.touchSends({ ids: ["s-1"], now, until: now + 2 }),
    finishSend: (store) => store.finishSend({ ...claimOf("s-1"), outcome: "unknown", from: "started" }),
    listSends: (store) => store.listSends({ ids: ["s-1"], now }),
    findNextSend: (store) => store.findNextSend({ account: "bot-1", groupId: 11, now }),
    listWaitingRooms: (store) => store.listWaitingRooms({ now }),
    listStartedSends: (store) => store.listStartedSends({ account: "bot-1", groupId: 11, now }),
    amend: (store) => store.amend({ groupId: 1, messageId: 1, decide: () => null }),
    listAmended: (store) => store.listAmended({ groupIds: [1], after: 0, limit: 1 }),
    countMentions: (store) => store.countMentions(7, [1]),
    listRecalls: (store) => store.listRecalls({ groupIds: [1], after: 0, limit: 1 }),
  },
  leases: {
    takeLease: (store) => store.takeLease(leaseOf("a")),
    touchLease: (store) => store.touchLease({ name: "a", fence: 1, until: now + 2, note: "" }),
    releaseLease: (store) => store.releaseLease({ name: "a", fence: 1, note: "" }),
    claim: (store) => store.claim({ name: "c", now, until: now + 1 }),
    listLeases: (store) => store.listLeases(""),
  },
  changes: {
    latest: (store) => store.latest(),
    since: (store) => store.since(0),
  },
  records: {
    list: (store) => store.list("users", { after: null, limit: 1 }),
    put: (store) => store.put("allocations", [{ userId: 7, unit: "count", max: 1, period: "daily" }]),
    count: (store) => store.count("users"),
  },
};

/** A call by its name, `teleprinter.append`. */
interface NamedCall {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

function callsOf<Store>(part: string, store: Store, ofPart: Calls<Store>): NamedCall[] {
  const verbs = Object.entries<(store: Store) => Promise<unknown>>(ofPart);
  return verbs.map(([verb, call]) => ({ name: `${part}.${verb}`, run: async () => call(store) }));
}

/** A call of every verb, to be made one after another. */
export const everyCall = (storage: Storage): readonly NamedCall[] => [
  ...callsOf("teleprinter", storage.teleprinter, calls.teleprinter),
  ...callsOf("pairings", storage.pairings, calls.pairings),
  ...callsOf("ai", storage.ai, calls.ai),
  ...callsOf("bucket", storage.bucket, calls.bucket),
  ...callsOf("users", storage.users, calls.users),
  ...callsOf("accounts", storage.accounts, calls.accounts),
  ...callsOf("grants", storage.grants, calls.grants),
  ...callsOf("keys", storage.keys, calls.keys),
  ...callsOf("tokens", storage.tokens, calls.tokens),
  ...callsOf("groups", storage.groups, calls.groups),
  ...callsOf("bots", storage.bots, calls.bots),
  ...callsOf("messages", storage.messages, calls.messages),
  ...callsOf("leases", storage.leases, calls.leases),
  ...callsOf("changes", storage.changes, calls.changes),
  ...callsOf("records", storage.records, calls.records),
  { name: "probe", run: () => storage.probe() },
];
