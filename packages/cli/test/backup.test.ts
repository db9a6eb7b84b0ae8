import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { BackupLock, createSqliteStorage } from "@telex/storage-sqlite";
import { describe, expect, it } from "vitest";
import { fillAccounts } from "test-support/accounts";
import { folder, serve, start } from "test-support/command";
import { contentsOf, fillFolder } from "test-support/filled";
import { at, parse, textAt } from "test-support/json";
import { createUploader } from "test-support/uploader";
import { assertHolds, createKey } from "./backups.ts";
import { grayPng } from "./pictures.ts";
import { answer, refusal } from "./in-process.ts";

/** A different picture for each number. */
const pictureOf = (number: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(grayPng(2, [[number & 255, number >> 8]]));

const digestOf = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

describe("a backup", () => {
  it("under load holds what was acknowledged before it began, and is restored with all of it", async () => {
    const [data, backups] = [await folder(), await folder()];
    const { recipient, identity } = await createKey();
    const server = await serve(["--data", data, "--rate-limits", "off"]);
    await answer(["user", "add", "alice", "--data", data]);
    const token = textAt(await answer(["token", "issue", "--user", "1", "--scope", "chat", "--data", data]), "token");
    const uploader = createUploader(server.url, token, (number) => new File([pictureOf(number)], `${number}.png`));
    for (const [name, ...flags] of [["first"], ["second", "--recipient", recipient], ["third", "--keep", "1"]]) {
      const key = flags.includes(recipient) ? ["--identity", identity] : [];
      const before = [...uploader.acknowledged];
      const made = await answer(["backup", join(backups, String(name)), "--data", data, ...flags]);
      const restored = join(await folder(), "data");
      const place = textAt(made, "backup");
      await answer(["restore", place, "--data", restored, ...key]);
      const { records, blobs } = await contentsOf(restored);
      expect(at(records, "files", "count")).toBe(Object.keys(blobs).length);
      expect(made).toMatchObject({ files: Object.keys(blobs).length, swept: 0, damaged: [], removed: [] });
      await assertHolds(restored, before);
    }
    await uploader.stop();
    expect(uploader.acknowledged.length).toBeGreaterThan(0);
    expect(uploader.acknowledged).toEqual(uploader.acknowledged.map((_, number) => digestOf(pictureOf(number))));
    await (await serve(["--data", join(backups, "first")])).stop();
  });

  it("is the same as the data, and readable by its owner only", async () => {
    const [data, target] = [await folder(), join(await folder(), "backup")];
    await fillFolder(data, { messages: 100, files: 3 });
    await answer(["backup", target, "--data", data]);
    expect(await contentsOf(target)).toEqual(await contentsOf(data));
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    expect((await stat(join(target, "telex.db"))).mode & 0o777).toBe(0o600);
  });

  it("ends sessions, links and sign-ins in progress, wherever it is restored", async () => {
    const [data, target, restored] = [await folder(), join(await folder(), "backup"), await folder()];
    const storage = await createSqliteStorage({ file: join(data, "telex.db") });
    await fillAccounts(storage);
    await storage.close();
    await answer(["backup", target, "--data", data]);
    await answer(["restore", target, "--data", restored]);
    const copy = await createSqliteStorage({ file: join(restored, "telex.db") });
    const { accounts, grants } = copy;
    expect(await accounts.listSessions(1, 2)).toEqual([]);
    expect(await accounts.listLinks({ kind: "invitation", after: "", limit: 10 })).toEqual([]);
    expect(await grants.findArtifact({ model: "Interaction", digest: "code digest" }, 2)).toBeNull();
    expect(await grants.listGrants(1, 2)).toMatchObject([{ grantId: "g" }]);
    expect(await accounts.findAccount({ usernameKey: "ada" })).not.toBeNull();
    await copy.close();
  });

  it("takes no folder in which there is something, and clears away what was broken off", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data);
    const target = join(backups, "backup");
    await mkdir(`${target}.partial`);
    await writeFile(join(`${target}.partial`, "telex.db.partial"), "half");
    await answer(["backup", target, "--data", data]);
    expect(await readdir(backups)).toEqual(["backup"]);
    expect(await refusal(["backup", target, "--data", data])).toMatchObject({ code: 1, error: "target_not_empty" });
    await mkdir(`${target}-2.partial`);
    await writeFile(join(`${target}-2.partial`, "diary.txt"), "precious");
    expect(await refusal(["backup", `${target}-2`, "--data", data])).toMatchObject({ error: "target_not_empty" });
    expect(await refusal(["backup", join(backups, "x"), "--storage", "memory:"])).toMatchObject({ code: 2 });
    const nowhere = join(backups, "nowhere");
    expect(await refusal(["backup", join(backups, "y"), "--data", nowhere])).toMatchObject({
      error: "storage_missing",
    });
    expect(await readdir(backups)).not.toContain("nowhere");
  });

  it("is refused while another one of the same installation is made", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data);
    const other = new BackupLock(join(data, "telex.db"));
    const refused = await refusal(["backup", join(backups, "x"), "--data", data]);
    expect(refused).toMatchObject({ code: 1, error: "storage_in_use" });
    expect(refused.msg).toMatch(/^Another backup of .*telex\.db is being made\. Try again when it is complete\.$/);
    expect(await readdir(backups)).toEqual([]);
    other.release();
    await answer(["backup", join(backups, "x"), "--data", data]);
  });
});

/** Runs a command, and kills it when the condition holds. */
async function killWhen(args: readonly string[], isSo: () => Promise<boolean>): Promise<void> {
  const child = start(args);
  const ended = new Promise((resolve) => child.once("close", resolve));
  // The backup of a small folder takes less time than other tests pause between two checks.
  while (child.exitCode === null && !(await isSo())) await setImmediate();
  child.kill("SIGKILL");
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
}

/** True if a folder contains some files of the backup, but not all. */
const hasSome = (path: string) => async (): Promise<boolean> =>
  (await readdir(path, { recursive: true }).catch(() => [])).length > 5;

describe("a place of several backups", () => {
  it("keeps the newest ones, and restores the newest complete one", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data);
    await mkdir(join(backups, "2026-01-01T00-00-00.000Z"));
    await writeFile(join(backups, "diary.txt"), "precious");
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      made.push(textAt(await answer(["backup", backups, "--keep", "2", "--data", data]), "backup"));
    }
    const names = made.map((name) => name.slice(backups.length + 1));
    expect((await readdir(backups)).toSorted()).toEqual([...names.slice(1), "diary.txt"]);
    const restored = await folder();
    expect(await answer(["restore", backups, "--data", restored])).toMatchObject({ backup: made[2] });
    expect(await contentsOf(restored)).toEqual(await contentsOf(data));
    const inside = await refusal(["backup", made[1] ?? "", "--keep", "1", "--data", data]);
    expect(inside).toEqual({
      code: 1,
      error: "target_not_empty",
      msg: `${made[1]} is a backup itself. For several backups, name another place.`,
    });
    expect(await refusal(["backup", backups, "--keep", "0", "--data", data])).toMatchObject({ code: 2 });
  });
});

describe("a backup that was interrupted", () => {
  it("is never taken for a complete one, and the next one to the same place clears it away", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data, { files: 400 });
    const target = join(backups, "backup");
    const { recipient } = await createKey();
    for (const flags of [[], ["--recipient", recipient]]) {
      const args = ["backup", target, "--data", data, ...flags];
      await killWhen(args, hasSome(join(`${target}.partial`, "blobs")));
      for (const place of [target, `${target}.partial`, backups]) {
        const { error, msg } = await refusal(["restore", place, "--data", join(backups, "x")]);
        expect(error).toBe("backup_missing");
        expect(msg).toContain(`There is no complete backup at ${place}`);
      }
    }
    await answer(["backup", target, "--data", data]);
    expect(await readdir(backups)).toEqual(["backup"]);
    const restored = await folder();
    await answer(["restore", target, "--data", restored]);
    expect(await contentsOf(restored)).toEqual(await contentsOf(data));
  });
});

describe("a restore", () => {
  it("that was interrupted is continued, and until then no server starts on it", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data, { files: 150 });
    const { recipient, identity } = await createKey();
    const target = join(backups, "backup");
    await answer(["backup", target, "--data", data, "--recipient", recipient]);
    const restored = join(backups, "restored");
    const args = ["restore", target, "--data", restored, "--identity", identity];
    await killWhen(args, hasSome(join(restored, "blobs")));
    expect(await refusal(["serve", "--data", restored, "--port", "0"])).toMatchObject({ error: "storage_incomplete" });
    const other = ["restore", backups, "--data", restored, "--identity", identity];
    expect(await refusal(other)).toMatchObject({ error: "backup_missing" });
    await answer(args);
    expect(await contentsOf(restored)).toEqual(await contentsOf(data));
    expect((await readdir(restored)).toSorted()).toEqual(["blobs", "telex.db"]);
  });

  it("overwrites nothing", async () => {
    const [data, backups, restored] = [await folder(), await folder(), await folder()];
    await fillFolder(data);
    const target = join(backups, "backup");
    await answer(["backup", target, "--data", data]);
    const before = await contentsOf(data);
    const refused = { code: 1, error: "target_not_empty" };
    expect(await refusal(["restore", target, "--data", data])).toMatchObject(refused);
    expect(await contentsOf(data)).toEqual(before);
    await mkdir(join(restored, "blobs", "aa"), { recursive: true });
    await writeFile(join(restored, "blobs", "aa", "a".repeat(32)), "of another installation");
    expect(await refusal(["restore", target, "--data", restored])).toMatchObject(refused);
    expect(await readdir(restored)).toEqual(["blobs"]);
    const emptied = await folder();
    for (const name of ["telex.db-wal", "telex.db-journal"]) {
      await writeFile(join(emptied, name), "of a database that was deleted");
      const { error, msg } = await refusal(["restore", target, "--data", emptied]);
      expect([error, msg]).toEqual(["target_not_empty", expect.stringContaining(`${name} exists already`)]);
      await rm(join(emptied, name));
    }
    expect(await readdir(emptied)).toEqual([]);
  });

  it("says what is wrong with a backup, and leaves nothing behind", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data, { files: 2 });
    const { recipient, identity } = await createKey();
    const { identity: other } = await createKey();
    const restored = join(backups, "restored");
    const make = async (name: string, ...flags: readonly string[]): Promise<string> =>
      textAt(await answer(["backup", join(backups, name), "--data", data, ...flags]), "backup");
    const refuse = async (place: string, ...flags: readonly string[]): Promise<string> => {
      const { error, msg } = await refusal(["restore", place, "--data", restored, ...flags]);
      expect(existsSync(restored) ? await readdir(restored) : []).toEqual([]);
      return `${String(error)}: ${String(msg)}`;
    };
    const fileIn = async (place: string): Promise<string> => {
      const lines = (await readFile(join(place, "manifest.ndjson"), "utf8")).split("\n");
      return textAt(parse(lines.at(2) ?? ""), "name");
    };

    const sealed = await make("sealed", "--recipient", recipient);
    expect(await readdir(sealed)).toEqual(["blobs", "manifest.ndjson", "telex.db.age"]);
    expect(await refuse(sealed)).toMatch(/^identity_missing: .*is encrypted.*--identity <file>/);
    expect(await refuse(sealed, "--identity", other)).toMatch(/^identity_wrong: .*does not hold the key/);
    expect(await refuse(sealed, "--identity", join(data, "telex.db"))).toMatch(/^usage: .*AGE-SECRET-KEY-/);
    expect(await refuse(sealed, "--identity", "none.txt")).toMatch(/^usage: .*cannot be read \(ENOENT\)/);

    const changed = await make("changed");
    expect(await refuse(changed, "--identity", identity)).toMatch(/^backup_not_encrypted: .*without --identity/);
    const file = await fileIn(changed);
    await appendFile(join(changed, file), "x");
    expect(await refuse(changed)).toContain(`backup_damaged: ${file} in the backup ${changed} was changed`);
    await rm(join(changed, file));
    expect(await refuse(changed)).toContain(`backup_incomplete: ${file} is missing`);
    await rename(join(changed, "telex.db"), join(changed, file));
    expect(await refuse(changed)).toContain("backup_incomplete: telex.db is missing");

    const manifest = join(sealed, "manifest.ndjson");
    const lines = (await readFile(manifest, "utf8")).trimEnd().split("\n");
    await writeFile(manifest, `${lines.slice(0, -1).join("\n")}\n`);
    expect(await refuse(sealed, "--identity", identity)).toMatch(/^backup_damaged: The manifest/);
    await writeFile(manifest, `${lines.join("\n").replaceAll("blobs/", "../blobs/")}\n`);
    expect(await refuse(sealed, "--identity", identity)).toMatch(/^backup_damaged: The manifest/);
    expect(await refuse(join(backups, "nowhere"))).toMatch(/^backup_missing/);
  });

  it("and its backup need keys for a bucket, and an address that is one", async () => {
    const data = await folder();
    await fillFolder(data);
    const bucket = await refusal(["backup", "s3:https://s3.example.org/bucket", "--data", data]);
    expect(bucket.msg).toBe(
      "A bucket needs keys: set TELEX_BACKUP_ACCESS_KEY and TELEX_BACKUP_SECRET_KEY in the environment.",
    );
    for (const place of ["s3:example.org", "s3:https://key:secret/of@s3.example.org/bucket"]) {
      const { msg } = await refusal(["restore", place, "--data", join(data, "x")]);
      expect(msg).toBe("The address of a bucket must look like s3:https://s3.example.org/bucket.");
    }
    expect(await refusal(["backup", "x", "--recipient", "age1x", "--data", data])).toMatchObject({ code: 2 });
  });
});
