import type { RecordKind, Records } from "@telex/core/storage";
import { now, scheduled } from "../support/fixtures.ts";
import { account, device, deviceMessage, file, group, md5, member, message, user } from "./sample-record.ts";

/** Records of every kind, each list by key. */
export type SampleRecords = { readonly [Kind in RecordKind]: readonly Records[Kind][] };

const countess = { archived: true, notify: "mentions", mutedUntil: now } as const;

const said = { conversationId: 2, model: "echo", finishReason: null, uses: null, files: null };

/**
 * A small installation after some use: ids have gaps, the greatest of some are gone, some texts wait, some
 * nonces, codes and shares are open.
 */
export const sampleRecords: SampleRecords = {
  users: [
    user(1, { ext: "10001", phone: "555", avatar: md5(3) }),
    user(3, { nickname: "👩‍👩‍👧‍👦 e\u0301" }),
    user(12, {
      ext: "10012",
      ai: "echo",
      oneBot: JSON.stringify({ connect: null, secret: null, protocol: 11, self: false }),
    }),
  ],
  tokens: [
    {
      tokenId: 1,
      userId: 1,
      digest: "d1",
      name: "Küche 厨房",
      scopes: ["chat", "device:a b", "device:kitchen#3"],
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: now + 7,
    },
    {
      tokenId: 2,
      userId: 3,
      digest: "d2",
      name: null,
      scopes: [],
      createdAt: now,
      expiresAt: now + 9,
      revokedAt: now + 5,
      lastUsedAt: null,
    },
  ],
  accounts: [account(1, { role: "admin", passwordHash: "$argon2id$", seen: ["192.0.2.0/24"] }), account(3)],
  passkeys: [
    {
      credentialId: "c1",
      userId: 1,
      name: "Laptop",
      publicKey: "pk",
      counter: 4,
      transports: ["internal", "hybrid"],
      createdAt: now,
      lastUsedAt: null,
    },
  ],
  identities: [{ issuer: "https://id.example", subject: "s 1", userId: 3, name: "ada@example", createdAt: now }],
  clients: [
    {
      clientId: "app",
      name: "App",
      secretDigest: null,
      redirectUris: ["https://app.example/cb"],
      grantTypes: ["authorization_code"],
      scopes: ["openid", "chat"],
      metadata: "{}",
      createdAt: now,
    },
  ],
  grants: [{ grantId: "g1", userId: 3, clientId: "app", payload: "{}", createdAt: now, until: now + 1000 }],
  artifacts: [
    {
      model: "RefreshToken",
      digest: "a1",
      payload: "{}",
      grantId: "g1",
      uid: null,
      userCodeDigest: null,
      claimedBy: null,
      consumedAt: now,
      successor: null,
      until: now + 1000,
    },
  ],
  keys: [{ name: "signing/1", value: "sealed", createdAt: now }],
  groups: [
    group(2, { avatar: md5(3), topic: "关于茶", archived: true, uniqueKey: "nonce/1/n", rev: 7, pins: "[8,1]" }),
    group(5, { groupType: 4, name: "Abroad", ext: "900", bot: "bot-1", createdAt: now + 1 }),
  ],
  members: [
    member(2, 1, { card: "Countess", role: "owner", joinedAt: now, ...countess }),
    member(2, 3, { role: "moderator", joinedAt: now + 1, notify: "none" }),
    member(5, 3, { card: "" }),
  ],
  devices: [
    device("kitchen", { away: true, ai: "echo", roomId: 12, roomMentions: true, roomLife: 3600 }),
    device("printer-1", { tags: ["厨房", "ground_floor"], program: "telex 1.0", transport: "ws", can: ["cut"] }),
    device("\uFF5Eprinter", { owner: 1 }),
    device("\u{1F5A8}printer", { fault: "paper out", faultAt: now + 7 }),
  ],
  deviceGenerations: [
    { deviceId: "kitchen", generation: 3 },
    { deviceId: "released", generation: 1 },
  ],
  deviceMessages: [
    deviceMessage("printer-1", 4, { delivered: true, expiresAt: now + 1, ended: "expired" }),
    deviceMessage("printer-1", 5, { room: true }),
    deviceMessage("printer-1", 6, { direction: "from_device", delivered: true }),
    deviceMessage("printer-1", 7, { title: "茶", via: "Editor", priority: 5, expiresAt: now + 60_000, shown: true }),
    deviceMessage("printer-1", 9),
    deviceMessage("\u{1F5A8}printer", 8, { direction: "from_device", delivered: true }),
  ],
  deviceSchedules: [scheduled(3, { owner: 3, title: "茶", via: "Editor", life: 60_000, nonce: "n" })],
  deviceNonces: [
    { deviceId: "printer-1", fromDevice: false, nonce: "n-9", id: 9, at: now + 9 },
    { deviceId: "printer-1", fromDevice: true, nonce: "n-9", id: 6, at: now + 6 },
    { deviceId: "\u{1F5A8}printer", fromDevice: true, nonce: "from_device:", id: 8, at: now + 2 },
  ],
  files: [
    file(1),
    file(2, { usedAt: now + 3, ext: "", mime: "application/zip" }),
    file(3, { usedAt: Number.MAX_SAFE_INTEGER }),
  ],
  uploads: [
    { md5: md5(1), userId: 1, name: "", kind: "", createdAt: 0 },
    { md5: md5(1), userId: 3, name: "照片.png", kind: "picture", createdAt: now },
    { md5: md5(2), userId: 12, name: "報告.zip", kind: "archive", createdAt: now + 1 },
  ],
  attachments: [
    { relativePath: "a1/报告.zip", md5: md5(2), name: "报告.zip" },
    { relativePath: "b2/\u{1F600}.zip", md5: md5(2), name: "again" },
  ],
  messages: [
    message(2, 1, 1),
    message(2, 2, 7, { userId: "10012", external: true, type: 3 }),
    message(2, 3, 8, { type: 1, content: md5(1), extras: '{"editedAt":5}', changed: 15 }),
    message(5, 1, 2, { botMessageId: "b-1", external: true }),
    message(5, 2, 9, { notice: '{"kind":"created"}', mentions: " 1 3 " }),
  ],
  messageNonces: [
    { groupId: 2, userId: "10012", external: true, nonce: "m-7", fingerprint: "f-7", seq: 2, at: now + 8 },
    { groupId: 2, userId: "3", external: false, nonce: "m-8", fingerprint: "f-8", seq: 3, at: now + 9 },
  ],
  messageFiles: [
    { groupId: 2, seq: 3, position: 0, relativePath: "a1/报告.zip" },
    { groupId: 2, seq: 3, position: 1, relativePath: "b2/\u{1F600}.zip" },
    { groupId: 5, seq: 2, position: 0, relativePath: "gone" },
  ],
  readMarkers: [
    { groupId: 2, userId: 1, seq: 2 },
    { groupId: 2, userId: 3, seq: 3 },
    { groupId: 5, userId: 3, seq: 2 },
  ],
  messageRecalls: [
    { groupId: 2, id: 12, seq: 2, operatorId: "10012", external: true },
    { groupId: 2, id: 14, seq: 1, operatorId: "3", external: false },
    { groupId: 5, id: 13, seq: 1, operatorId: null, external: true },
  ],
  fileUses: [
    { md5: md5(2), groupId: 0, seq: 0 },
    { md5: md5(2), groupId: 2, seq: 3 },
  ],
  botMessages: [
    { account: "bot-1", botMessageId: "b-1", groupId: 2, seq: 3 },
    { account: "bot-1", botMessageId: "b-1", groupId: 5, seq: 1 },
    { account: "bot-1", botMessageId: "b-2", groupId: 5, seq: 1 },
    { account: "bot-2", botMessageId: "b-1", groupId: 2, seq: 2 },
  ],
  networkPeople: [
    { number: 2, network: "chat", ext: "U1" },
    { number: 3, network: "其他", ext: "U1" },
  ],
  outbox: [
    {
      id: "s-1",
      account: "bot-1",
      groupId: 5,
      userId: "3",
      nonce: "n-7",
      fingerprint: "f",
      state: "started",
      message: '{"茶":1}',
      at: now,
      until: now + 1000,
    },
    {
      id: "s-2",
      account: "bot-1",
      groupId: 5,
      userId: "3",
      nonce: null,
      fingerprint: "",
      state: "partly",
      message: "{}",
      at: now + 1,
      until: now + 1001,
    },
  ],
  bots: [
    {
      account: "10001",
      name: null,
      gateway: "onebot",
      network: "qq",
      official: true,
      digest: "d",
      secret: null,
      connect: null,
      protocol: 0,
      minInterval: 1200,
      createdAt: now,
    },
    {
      account: "茶",
      name: "Tea 🫖",
      gateway: "onebot",
      network: "chat",
      official: false,
      digest: null,
      secret: "s",
      connect: "ws://127.0.0.1:1/x",
      protocol: 12,
      minInterval: 0,
      createdAt: now + 1,
    },
  ],
  codes: [
    { digest: "c1", storageId: "default", expiresAt: now + 1000, used: false },
    { digest: "c2", storageId: "default", expiresAt: now + 1000, used: true },
  ],
  uploadShares: [
    { uploader: 0, until: now + 1000, bytes: 5 },
    { uploader: 3, until: now + 1000, bytes: 0 },
    { uploader: 3, until: now + 2000, bytes: 2 ** 40 },
  ],
  allocations: [{ userId: 3, unit: "token", max: 5000, period: "weekly" }],
  usage: [
    { userId: 3, day: "2026-11-19", replies: 2, tokens: 300, started: 2 },
    { userId: 3, day: "2026-11-20", replies: 1, tokens: 0, started: 1 },
  ],
  reservations: [
    { reservationId: "r1", userId: 3, day: "2026-11-20", replies: 1, tokens: 700, started: 1, expiresAt: now + 1000 },
    { reservationId: "r2", userId: 12, day: "2026-11-20", replies: 1, tokens: 1, started: 1, expiresAt: now - 1000 },
  ],
  conversations: [
    { id: 2, userId: 3, title: "茶", status: 0, defaultModel: "echo", lastMessage: now + 2, totalToken: 42 },
    { id: 4, userId: 3, title: "", status: 1, defaultModel: "", lastMessage: now, totalToken: 0 },
  ],
  conversationMessages: [
    { ...said, id: 3, role: "user", content: "茶？", files: "[]", createdAt: now },
    { ...said, id: 4, role: "assistant", content: "茶。", finishReason: "stop", uses: "[]", createdAt: now + 1 },
    { ...said, conversationId: 4, id: 1, role: "user", content: "\u0001", model: "", createdAt: now + 2 },
  ],
  pairings: [
    {
      secretDigest: "s1",
      codeDigest: "p1",
      deviceId: "hall",
      name: "Hall",
      expiresAt: now + 1000,
      userId: 3,
      confirmed: true,
      issuedBy: 12,
      issuerEndsAt: now + 5000,
    },
    {
      secretDigest: "s2",
      codeDigest: "p2",
      deviceId: "loft",
      name: "",
      expiresAt: now + 1000,
      userId: null,
      confirmed: false,
      issuedBy: null,
      issuerEndsAt: null,
    },
  ],
  counters: [
    { name: "conversation", value: 6 },
    { name: "conversationMessage", value: 11 },
    { name: "deviceMessage", value: 20 },
    { name: "group", value: 5 },
    { name: "message", value: 30 },
    { name: "networkPerson", value: 8 },
    { name: "token", value: 2 },
    { name: "user", value: 40 },
  ],
};
