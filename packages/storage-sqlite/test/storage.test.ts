import { person } from "@telex/conformance";
import { readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createSqliteStorage, SqliteFileError } from "../src/index.ts";
import { createFile } from "../src/file/open.ts";
import { deviceText, printer, roomMessage } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

describe("opening a file", () => {
  it("makes a file that only its owner can read", async () => {
    const file = temporaryFile();
    await openStorage({ file });
    expect([file, `${file}-wal`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("keeps a log that is synced at every commit", async () => {
    const file = temporaryFile();
    await openStorage({ file });
    const other = new DatabaseSync(file, { readOnly: true });
    expect(other.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    other.close();
  });

  it("takes the file that a link leads to", async () => {
    const file = temporaryFile();
    symlinkSync(temporaryFile(), file);
    createFile(readlinkSync(file));
    const storage = await openStorage({ file, exclusive: true });
    await storage.messages.append(roomMessage(1, "text"));
    expect(statSync(`${readlinkSync(file)}-wal`).size).toBeGreaterThan(0);
  });

  it("lets one server at a time work on a file", async () => {
    const file = temporaryFile();
    const first = await openStorage({ file, exclusive: true });
    const second = createSqliteStorage({ file, exclusive: true });
    await expect(second).rejects.toThrow(
      /^A Telex server is using .*telex\.db\. Stop it first, or use another file\.$/,
    );
    await first.close();
    await openStorage({ file, exclusive: true });
  });

  it("passes over changes of a kind that only a newer program knows", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file });
    const newer = new DatabaseSync(file);
    newer.exec("INSERT INTO changes (kind, key, at) VALUES ('user', '1', 0), ('later', '2', 0), ('user', '3', 0)");
    newer.close();
    expect((await storage.changes.since(0))?.map(({ key }) => key)).toEqual(["1", "3"]);
  });

  it("lets an operator command work while a server runs", async () => {
    const file = temporaryFile();
    const server = await openStorage({ file, exclusive: true });
    const operator = await openStorage({ file });
    const before = await server.changes.latest();
    const token = { userId: 1, digest: "d", name: null, scopes: ["chat", "device:a b"], createdAt: 5, expiresAt: null };
    const issued = await operator.tokens.issueToken(token);
    expect(await server.tokens.findToken("d")).toEqual({
      ...token,
      tokenId: issued.tokenId,
      revokedAt: null,
      lastUsedAt: null,
    });
    await operator.tokens.revokeToken({ digest: "d" }, 9);
    expect(await server.changes.since(before)).toEqual([
      { seq: before + 1, kind: "token", key: String(issued.tokenId) },
    ]);
  });

  it("opens a new file several times simultaneously", async () => {
    const file = temporaryFile();
    const storages = await Promise.all(Array.from({ length: 5 }, () => openStorage({ file })));
    await Promise.all(storages.map(({ messages }, index) => messages.append(roomMessage(1, `${index}`))));
    const page = await storages[0]?.messages.page({ groupId: 1, before: null, limit: 10 });
    expect(page?.messages.map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
  });

  it("refuses a file that is not a database, and does not change it", async () => {
    const file = temporaryFile();
    writeFileSync(file, "Dear diary, ".repeat(100));
    await expect(createSqliteStorage({ file })).rejects.toThrow(`${file} is not a database.`);
    expect(statSync(file).size).toBe(1200);
  });

  it("refuses the database of another program", async () => {
    const file = temporaryFile();
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE bookmarks (url TEXT)");
    other.close();
    await expect(createSqliteStorage({ file })).rejects.toThrow(`${file} is a database of another program.`);
  });

  it("releases the file if it cannot be opened", async () => {
    const file = temporaryFile();
    writeFileSync(file, "Dear diary, ".repeat(100));
    await expect(createSqliteStorage({ file, exclusive: true })).rejects.toBeInstanceOf(SqliteFileError);
    writeFileSync(file, "");
    await openStorage({ file, exclusive: true });
  });
});

describe("closing", () => {
  it("completes calls in progress, and refuses later ones", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file });
    const append = storage.messages.append(roomMessage(1, "last words"));
    await Promise.all([storage.close(), storage.close()]);
    expect(await append).toMatchObject({ outcome: "appended" });
    const unavailable = { code: "storage_unavailable" };
    await expect(storage.messages.append(roomMessage(1, "too late"))).rejects.toMatchObject(unavailable);
    await expect(storage.messages.findNewest([1])).rejects.toMatchObject(unavailable);
    await expect(storage.probe()).rejects.toMatchObject(unavailable);
    const again = await openStorage({ file });
    expect((await again.messages.page({ groupId: 1, before: null, limit: 10 })).messages).toHaveLength(1);
  });
});

describe("signs of life", () => {
  it("are written a second later, for all devices together", async () => {
    const file = temporaryFile();
    const clock = createManualClock(1000);
    const storage = await openStorage({ file, clock });
    const other = await openStorage({ file });
    const keys = Array.from({ length: 250 }, (_, index) => ({ deviceId: `printer-${index}`, owner: 7 }));
    await Promise.all(keys.map((key) => storage.teleprinter.claimDevice({ ...key, name: "Printer", now: 1000 })));
    await Promise.all(keys.map((key) => storage.teleprinter.touchDevice({ ...key, now: 1500 })));
    await clock.advance(999);
    await storage.probe();
    expect((await other.teleprinter.findDevice("printer-0"))?.lastSeen).toBe(1000);
    await clock.advance(1);
    await storage.probe();
    const seen = await other.teleprinter.listDevices(7);
    expect(seen.map(({ lastSeen }) => lastSeen)).toEqual(keys.map(() => 1500));
  });

  it("are written when the storage closes", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file, clock: createManualClock(1000) });
    await storage.teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
    await storage.teleprinter.leaveDevice(printer);
    await storage.teleprinter.touchDevice({ ...printer, now: 2000 });
    await storage.close();
    const again = await openStorage({ file });
    expect(await again.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 2000, away: false });
  });

  it("that could not be written are tried again", async () => {
    const file = temporaryFile();
    const clock = createManualClock(1000);
    const storage = await openStorage({ file, clock, busyTimeout: 0 });
    const other = await openStorage({ file });
    await storage.teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
    const lock = new DatabaseSync(file);
    lock.exec("BEGIN IMMEDIATE");
    await storage.teleprinter.touchDevice({ ...printer, now: 2000 });
    await clock.advance(1000);
    await expect(storage.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
    lock.close();
    await ticks(1);
    await clock.advance(1000);
    await storage.probe();
    expect((await other.teleprinter.findDevice("printer"))?.lastSeen).toBe(2000);
  });
});

describe("a verb", () => {
  it("stores its arguments, even if the caller changes them before its turn", async () => {
    const { messages, groups, teleprinter, users } = await openStorage({ file: temporaryFile() });
    const claim = { ...printer, name: "Printer", now: 1000 };
    const user = { ...person() };
    const members = [1, 2];
    const append = roomMessage(1, "said");
    const message = { ...append.message };
    const calls = [
      teleprinter.claimDevice(claim),
      users.appendUser(user),
      groups.appendGroup({ groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: 1 }, members),
      messages.append({ ...append, message }),
    ];
    claim.name = "Changed";
    user.nickname = "Changed";
    members.push(3);
    Object.assign(message, { content: "changed" });
    await Promise.all(calls);
    expect(await teleprinter.findDevice("printer")).toMatchObject({ name: "Printer" });
    expect(await users.findUser(1)).toMatchObject({ nickname: "Ada" });
    expect(await groups.listMembers(1)).toHaveLength(2);
    expect(await messages.page({ groupId: 1, before: null, limit: 1 })).toMatchObject({
      messages: [{ content: "said" }],
    });
  });
});

describe("texts that arrive together", () => {
  it("see what is stored between them", async () => {
    const { teleprinter } = await openStorage({ file: temporaryFile() });
    await teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
    const said = { ...deviceText("said"), direction: "from_device" } as const;
    const answers = await Promise.all([
      teleprinter.append(said),
      teleprinter.append({ ...said, owner: 8 }),
      teleprinter.amendDevice({ ...printer, change: { name: "Lamp" } }),
      teleprinter.append(said),
      teleprinter.releaseDevice(printer),
      teleprinter.append(said),
    ]);
    expect(answers).toMatchObject([
      { outcome: "appended", device: { name: "Printer" } },
      { outcome: "not_owner" },
      { outcome: "amended" },
      { outcome: "appended", device: { name: "Lamp" } },
      { outcome: "released" },
      { outcome: "missing" },
    ]);
  });
});

describe("a queue", () => {
  it("gives each text once to many polls, although some fail", async () => {
    const storage = await openStorage({ file: temporaryFile() });
    const { teleprinter } = storage;
    await teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
    await Promise.all(Array.from({ length: 60 }, (_, index) => teleprinter.append(deviceText(`${index}`))));
    const printed: string[] = [];
    for (let poll = 0; printed.length < 60; poll += 1) {
      const holder = `poll-${poll}`;
      const taken = await teleprinter.take({ ...printer, limit: 7, holder, now: 1000, until: 2000 });
      if (taken.outcome !== "taken") throw new Error(taken.outcome);
      if (poll % 3 === 0) {
        await teleprinter.requeue({ deviceId: "printer", holder });
        continue;
      }
      const ids = taken.messages.map(({ id }) => id);
      await teleprinter.deliver({ deviceId: "printer", holder, ids, ends: true });
      printed.push(...taken.messages.map(({ content }) => content));
    }
    expect(printed).toEqual(Array.from({ length: 60 }, (_, index) => `${index}`));
  });
});

describe("the change feed", () => {
  it("forgets changes older than an hour, and never counts back", async () => {
    const clock = createManualClock(1000);
    const storage = await openStorage({ file: temporaryFile(), clock });
    const rename = (nickname: string) => storage.users.amendUser(1, { nickname });
    await storage.users.appendUser(person());
    for (let index = 0; index < 10; index += 1) await rename(`Ada ${index}`);
    await clock.advance(60 * 60 * 1000 + 1);
    for (let index = 0; index < 4; index += 1) await rename(`Ada ${index}`);
    expect(await storage.changes.latest()).toBe(14);
    expect(await storage.changes.since(9)).toBeNull();
    expect((await storage.changes.since(10))?.map(({ seq }) => seq)).toEqual([11, 12, 13, 14]);
  });
});
