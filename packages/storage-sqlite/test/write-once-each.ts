// Calls every verb that writes, one after another, and prints each call and each result.
import { person } from "@telex/conformance";
import { createSqliteStorage } from "../src/index.ts";
import { deviceText, printer, roomMessage, uploadOf } from "./messages.ts";

const storage = await createSqliteStorage({ file: process.argv[2] ?? "", exclusive: true });
const { teleprinter, pairings, ai, bucket, users, tokens, groups, messages } = storage;

const now = 1000;
const day = "2026-11-21";
const used = { replies: 1, tokens: 10, started: 1 };
const reservation = { reservationId: "r", userId: 7, day, ...used, expiresAt: 9000 };
const conversation = { userId: 7, title: "t", status: 0, defaultModel: "m", lastMessage: now, totalToken: 0 } as const;
const turn = {
  userId: 7,
  model: "m",
  question: "q",
  answer: "a",
  finishReason: "stop",
  tokens: 1,
  askedAt: 1,
  answeredAt: 2,
};
const chat = { conversationId: 1, userId: 7 };
const group = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
const pairing = { codeDigest: "c", secretDigest: "s", deviceId: "d", name: "n", expiresAt: 9000, now };
const code = { codeDigest: "c", userId: 7, now };
const user = person();
const token = { userId: 7, digest: "d", name: null, scopes: ["chat"], createdAt: now, expiresAt: null };

async function take(): Promise<readonly number[]> {
  const taken = await teleprinter.take({ ...printer, limit: 1, holder: "h", now, until: 2000 });
  return taken.outcome === "taken" ? taken.messages.map(({ id }) => id) : [];
}

const verbs: Readonly<Record<string, () => Promise<unknown>>> = {
  claimDevice: () => teleprinter.claimDevice({ ...printer, name: "Printer", now }),
  leaveDevice: () => teleprinter.leaveDevice(printer),
  "append to a device": () => teleprinter.append(deviceText("one")),
  "append to a device again": () => teleprinter.append(deviceText("two")),
  "append from a device": () => teleprinter.append({ ...deviceText("three"), direction: "from_device" }),
  deliver: async () => teleprinter.deliver({ ...printer, holder: "h", ids: await take(), ends: true }),
  acknowledge: () => teleprinter.acknowledge({ ...printer, upTo: 2, limit: 1, now }),
  releaseDevice: () => teleprinter.releaseDevice(printer),
  issuePairing: () => pairings.issuePairing(pairing),
  claimPairing: () => pairings.claimPairing(code),
  confirmPairing: () => pairings.confirmPairing({ ...code, issuedBy: null, issuerEndsAt: null }),
  consumePairing: () => pairings.consumePairing({ secretDigest: "s", now }),
  assignAllocation: () => ai.assignAllocation(7, { unit: "count", max: 5, period: "daily" }),
  reserve: () =>
    ai.reserve({ reservation, unit: "count", max: 5, maxStarted: null, days: { from: day, to: "2026-11-22" }, now }),
  appendConversation: () => ai.appendConversation(conversation),
  settle: () => ai.settle({ reservationId: "r", used, turn: { conversationId: 1, ...turn } }),
  amendConversation: () => ai.amendConversation(chat, { title: "other" }),
  dropConversation: () => ai.dropConversation(chat),
  issueCode: () => bucket.issueCode({ digest: "word", storageId: "s", expiresAt: 5000 }),
  putFile: () => bucket.putFile(uploadOf("word")),
  keepFile: () => bucket.keepFile("word"),
  takeFile: () => bucket.takeFile("word"),
  takeExpiredCodes: () => bucket.takeExpiredCodes(9000),
  appendUser: () => users.appendUser(user),
  amendUser: () => users.amendUser(1, { nickname: "Bob" }),
  issueToken: () => tokens.issueToken(token),
  revokeToken: () => tokens.revokeToken({ digest: "d" }, now),
  appendGroup: () => groups.appendGroup(group, [1]),
  amendMembers: () => groups.amendMembers(1, { add: [2], remove: [] }),
  amendCard: () => groups.amendCard(1, 1, "card"),
  "append to a room": () => messages.append(roomMessage(1, "text")),
  amendGroup: () => groups.amendGroup(1, { name: "Renamed" }),
  markRead: () => messages.markRead({ groupId: 1, userId: 2, upTo: 9 }),
  recall: () =>
    messages.recall({
      groupId: 1,
      messageId: 1,
      operatorId: "1",
      external: false,
      ownSince: null,
      content: "",
      pinyin: "",
    }),
  probe: () => storage.probe(),
};

for (const [name, call] of Object.entries(verbs)) {
  process.stdout.write(`call ${name}\n`);
  await call();
  process.stdout.write(`done ${name}\n`);
}
await storage.close();
