import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillAccounts } from "test-support/accounts";
import { backupSqlite, createSqliteMigrations, verifySqlite } from "../src/index.ts";
import { deviceText, roomMessage } from "./messages.ts";
import { openStorage, startChild, temporaryFile, temporaryFolder } from "./support.ts";

describe("a backup", () => {
  it("is a complete database that only its owner can read", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file, exclusive: true });
    await storage.messages.append(roomMessage(1, "kept"));
    const folder = join(temporaryFolder(), "new", "folder");
    const target = join(folder, "telex.db");
    backupSqlite({ file, target });
    expect(readdirSync(folder)).toEqual(["telex.db"]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(verifySqlite({ file: target })).toEqual([]);
    const copy = await openStorage({ file: target });
    const page = await copy.messages.page({ groupId: 1, before: null, limit: 10 });
    expect(page.messages.map(({ content }) => content)).toEqual(["kept"]);
    expect(await copy.messages.append(roomMessage(1, "next"))).toMatchObject({ message: { id: 2, seq: 2 } });
  });

  it("is consistent while another process writes", { timeout: 30_000 }, async () => {
    const file = temporaryFile();
    await (await openStorage({ file })).close();
    const child = startChild("append-forever.ts", file);
    let backups = 0;
    for await (const line of child.lines) {
      if (Number(line) < 200 * (backups + 1)) continue;
      const target = join(temporaryFolder(), "backup.db");
      backupSqlite({ file, target });
      expect(verifySqlite({ file: target })).toEqual([]);
      expect(countOf(target)).toBeGreaterThanOrEqual(Number(line));
      backups += 1;
      if (backups === 3) break;
    }
    child.kill();
    expect(backups).toBe(3);
  });

  it("ends sessions, links and sign-ins in progress, and keeps accounts and refresh tokens", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file });
    await fillAccounts(storage);
    const target = join(temporaryFolder(), "backup.db");
    backupSqlite({ file, target });
    const bytes = readFileSync(target);
    for (const digest of ["session digest", "link digest", "code digest"]) expect(bytes.includes(digest)).toBe(false);
    const { accounts, grants, keys } = await openStorage({ file: target });
    expect(await accounts.findSession("session digest", 2)).toBeNull();
    expect(await accounts.findLink({ digest: "link digest", kind: "invitation", now: 2 })).toBeNull();
    expect(await grants.findArtifact({ model: "Interaction", digest: "code digest" }, 2)).toBeNull();
    expect(await accounts.findAccount({ usernameKey: "ada" })).toMatchObject({ userId: 1, rev: 1 });
    expect(await grants.findArtifact({ model: "RefreshToken", digest: "token digest" }, 2)).toMatchObject({
      grantId: "g",
    });
    expect(await keys.findKey("signing/1")).toMatchObject({ value: "sealed" });
    expect(await storage.accounts.findSession("session digest", 2)).toMatchObject({ userId: 1 });
  });

  it("is made of a database of a version that had no accounts", async () => {
    const file = temporaryFile();
    await (await openStorage({ file })).close();
    createSqliteMigrations({ file }).down(30);
    const target = join(temporaryFolder(), "backup.db");
    backupSqlite({ file, target });
    expect(verifySqlite({ file: target })).toEqual([]);
  });

  it("takes no name that is in use", async () => {
    const file = temporaryFile();
    await openStorage({ file });
    const target = join(temporaryFolder(), "backup.db");
    writeFileSync(target, "precious");
    expect(() => backupSqlite({ file, target })).toThrow(`There is a file at ${target} already.`);
    expect(statSync(target).size).toBe(8);
  });

  it("that fails leaves nothing behind", () => {
    const file = temporaryFile();
    const folder = temporaryFolder();
    writeFileSync(file, "Dear diary, ".repeat(100));
    expect(() => backupSqlite({ file, target: join(folder, "backup.db") })).toThrow("is not a database");
    expect(existsSync(join(folder, "backup.db"))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function countOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT count(*) AS count FROM messages").get();
  database.close();
  return Number(row?.["count"]);
}

describe("verifying", () => {
  it("finds contradictions", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file });
    await storage.teleprinter.claimDevice({ deviceId: "printer", owner: 7, name: "Printer", now: 1000 });
    await storage.teleprinter.append(deviceText("text"));
    for (let index = 0; index < 3; index += 1) await storage.messages.append(roomMessage(5, `${index}`));
    await storage.messages.append(roomMessage(6, "text"));
    await storage.close();
    expect(verifySqlite({ file })).toEqual([]);
    const database = new DatabaseSync(file);
    database.exec(`
      PRAGMA foreign_keys = OFF;
      UPDATE devices SET waiting = 5;
      DELETE FROM messages WHERE group_id = 5 AND seq = 2;
      UPDATE counters SET value = 0;`);
    database.close();
    expect(verifySqlite({ file })).toEqual([
      "Room 5 has gaps in its history.",
      "Device printer has a wrong count of waiting messages.",
      "The counter of device_message is behind the greatest id.",
      "The counter of message is behind the greatest id.",
    ]);
  });

  it("finds rows that refer to missing rows", async () => {
    const file = temporaryFile();
    await (await openStorage({ file })).close();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA foreign_keys = OFF; INSERT INTO uploads (md5, user_id) VALUES ('nothing', 1)");
    database.close();
    expect(verifySqlite({ file })).toEqual(["A row of uploads refers to a missing row."]);
  });

  it("finds damage", async () => {
    const file = temporaryFile();
    const storage = await openStorage({ file });
    await Promise.all(Array.from({ length: 500 }, (_, index) => storage.messages.append(roomMessage(1, `${index}`))));
    await storage.close();
    const handle = await open(file, "r+");
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(8192, 7), 0, 8192, size - 16_384);
    await handle.close();
    expect(verifySqlite({ file })).not.toEqual([]);
  });
});
