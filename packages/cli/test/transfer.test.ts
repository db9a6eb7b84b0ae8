import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createFsBlobs } from "@telex/blobs/fs";
import { transfer } from "@telex/transfer";
import { createMemoryStorage } from "@telex/storage-memory";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { describe, expect, it } from "vitest";
import { blobsOf, contentsOf, digestsOf, exportedOf, fill, fillFolder } from "test-support/filled";
import { at, parse } from "test-support/json";
import { folder, serve } from "test-support/command";
import { answer, refusal, telexHere } from "./in-process.ts";

const databaseOf = (data: string): string => join(data, "telex.db");
const urlOf = (data: string): string => `sqlite:${databaseOf(data)}`;
const blobsIn = (data: string) => createFsBlobs({ directory: join(data, "blobs") });

const copyOf = (from: string, to: string): string[] => ["migrate", "copy", "--from", urlOf(from), "--to", urlOf(to)];

describe("everything", () => {
  it("goes from memory to a database, out to files, into a database and back to memory, and is the same", async () => {
    const [first, second, out] = [await folder(), await folder(), join(await folder(), "out")];
    const memory = createMemoryStorage();
    const fromBlobs = createMemoryBlobs();
    await fill(memory, fromBlobs);
    const sqlite = await createSqliteStorage({ file: databaseOf(first) });
    const copied = await transfer({ from: memory, to: sqlite, fromBlobs, toBlobs: blobsIn(first) });
    await sqlite.close();
    const exported = await answer(["export", out, "--data", first]);
    const imported = await answer(["import", out, "--data", second]);
    const { keys: _keys, ...others } = copied.records;
    expect(at(exported, "records")).toMatchObject({ ...others, keys: { count: 0 } });
    expect(at(imported, "records")).toEqual(at(exported, "records"));
    const again = createMemoryStorage();
    const toBlobs = createMemoryBlobs();
    const back = await createSqliteStorage({ file: databaseOf(second) });
    await transfer({ from: back, to: again, fromBlobs: blobsIn(second), toBlobs });
    await back.close();
    const digests = await digestsOf(again.records);
    expect(digests).toEqual({ ...(await digestsOf(memory.records)), keys: digests["keys"] });
    expect(await blobsOf(toBlobs)).toEqual(await blobsOf(fromBlobs));
    expect(Object.keys(digests).filter((kind) => at(digests, kind, "count") === 0)).toEqual(["keys"]);
  });

  it("is exported without the keys of the installation, and copied with them", async () => {
    const [data, target, out] = [await folder(), await folder(), join(await folder(), "out")];
    await fillFolder(data);
    await answer(["export", out, "--data", data]);
    expect(await readdir(join(out, "records"))).not.toContain("keys.ndjson");
    expect(at(await answer(copyOf(data, target)), "records", "keys", "count")).toBe(1);
  });

  it("is exported as a line of JSON per record, readable by its owner only", async () => {
    const [data, out] = [await folder(), join(await folder(), "out")];
    await fillFolder(data);
    await answer(["export", out, "--data", data]);
    expect((await readdir(out)).toSorted()).toEqual(["files", "manifest.json", "records"]);
    const lines = (await readFile(join(out, "records", "uploads.ndjson"), "utf8")).split("\n");
    expect(lines[0]).toMatch(/^\{"md5":"0+1","userId":1,"name":"","kind":"","createdAt":0\}$/);
    expect((await stat(join(out, "records", "tokens.ndjson"))).mode & 0o777).toBe(0o600);
  });
});

describe("what was broken off", () => {
  it("is not a whole export, and goes on with the next call", async () => {
    const [data, target, out] = [await folder(), await folder(), join(await folder(), "out")];
    await fillFolder(data, { messages: 2000 });
    await answer(["export", out, "--data", data]);
    await rm(join(out, "manifest.json"));
    const path = join(out, "records", "messages.ndjson");
    await truncate(path, 100_000);
    const state = { source: urlOf(data), kind: "messages", after: [99, 1] };
    await writeFile(join(out, "transfer.json"), JSON.stringify(state));
    expect(await refusal(["import", out, "--data", target])).toMatchObject({ code: 1, error: "export_missing" });
    expect(at(await answer(["export", out, "--data", data]), "resumed")).toBe(true);
    await answer(["import", out, "--data", target]);
    expect(exportedOf(await contentsOf(target))).toEqual(exportedOf(await contentsOf(data)));
  });
});

describe("a copy is refused", () => {
  it("from and to a database on which a server works", async () => {
    const [data, target] = [await folder(), await folder()];
    await serve(["--data", data]);
    const from = await refusal(copyOf(data, target));
    expect(from).toMatchObject({ code: 1, error: "storage_in_use" });
    expect(from.msg).toMatch(/^A Telex server is using .* make a backup \(telex backup\) and copy from that\.$/);
    await fillFolder(target);
    expect(await refusal(copyOf(target, data))).toMatchObject({ code: 1, error: "storage_in_use" });
    expect(await refusal(["export", join(target, "out"), "--data", data])).toMatchObject({ error: "storage_in_use" });
  });

  it("into what is not empty, into itself, and from where there is nothing", async () => {
    const [data, target] = [await folder(), await folder()];
    await fillFolder(data);
    await fillFolder(target);
    expect(await refusal(copyOf(data, target))).toMatchObject({ code: 1, error: "target_not_empty" });
    expect(await refusal(copyOf(data, data))).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal(copyOf(await folder(), target))).toMatchObject({ code: 1, error: "storage_missing" });
    const out = join(await folder(), "out");
    await answer(["export", out, "--data", data]);
    expect(await refusal(["export", out, "--data", data])).toMatchObject({ code: 1, error: "target_not_empty" });
    expect(await contentsOf(data)).toEqual(await contentsOf(target));
  });

  it("with an address that names no storage", async () => {
    const from = ["migrate", "copy", "--from"];
    for (const url of ["telex.db", "sqlite:", "memory:"]) {
      expect(await refusal([...from, url, "--to", "sqlite:x.db"])).toMatchObject({ code: 2, error: "usage" });
    }
    const mongo = await refusal([...from, "mongodb:nowhere", "--to", "sqlite:x.db"]);
    expect(mongo).toMatchObject({ code: 1, error: "storage_invalid_url" });
  });

  it("where another one has begun", async () => {
    const [data, target] = [await folder(), await folder()];
    await fillFolder(data);
    const state = { source: "sqlite:/elsewhere/telex.db", kind: "users", after: null };
    await writeFile(`${databaseOf(target)}.transfer`, JSON.stringify(state));
    const refused = await refusal(copyOf(data, target));
    expect(refused).toMatchObject({ code: 1, error: "other_transfer" });
    expect(refused.msg).toContain("sqlite:/elsewhere/telex.db");
    expect(await refusal(["serve", "--data", target])).toMatchObject({ code: 1, error: "storage_incomplete" });
    await writeFile(databaseOf(target), "");
    expect(await refusal(copyOf(target, await folder()))).toMatchObject({ code: 1, error: "storage_incomplete" });
    await writeFile(`${databaseOf(target)}.transfer`, JSON.stringify({ ...state, kind: "unheard of" }));
    expect(await refusal(copyOf(data, target))).toMatchObject({ code: 1, error: "transfer_unreadable" });
  });
});

it("an export of a version whose accounts of networks had no names is imported", async () => {
  const [data, target, out] = [await folder(), await folder(), join(await folder(), "out")];
  await telexHere(["bot", "add", "10001", "--name", "Tea", "--data", data]);
  await answer(["export", out, "--data", data]);
  const [path, manifest] = [join(out, "records", "bots.ndjson"), join(out, "manifest.json")];
  const [text, said] = [await readFile(path, "utf8"), await readFile(manifest, "utf8")];
  const old = text.replace('"name":"Tea",', "");
  expect(old).not.toBe(text);
  const [now, then] = [text, old].map((lines) => createHash("sha256").update(lines).digest("hex"));
  await writeFile(path, old);
  await writeFile(manifest, said.replace(now ?? "", then ?? ""));
  await answer(["import", out, "--data", target]);
  expect(await answer(["bot", "list", "--data", target])).toMatchObject([{ account: "10001", name: null }]);
});

describe("a damaged export", () => {
  async function exported() {
    const [data, target, out] = [await folder(), await folder(), join(await folder(), "out")];
    await fillFolder(data, { files: 2 });
    await answer(["export", out, "--data", data]);
    return { target, out, import: async () => await refusal(["import", out, "--data", target]) };
  }

  it("is found by its records before anything is written", async () => {
    const { target, out, ...run } = await exported();
    const path = join(out, "records", "messages.ndjson");
    const text = await readFile(path, "utf8");
    for (const damaged of [text.replace("阿达", "阿大"), text.slice(0, -1), text.slice(text.indexOf("\n") + 1), ""]) {
      await writeFile(path, damaged);
      expect(await run.import()).toMatchObject({ code: 1, error: "export_damaged" });
    }
    await rm(path);
    expect(await run.import()).toMatchObject({ code: 1, error: "export_damaged" });
    expect(existsSync(databaseOf(target))).toBe(false);
    await writeFile(path, text);
    await answer(["import", out, "--data", target]);
  });

  it("is found by its manifest", async () => {
    const { out, ...run } = await exported();
    const manifest = join(out, "manifest.json");
    await rename(manifest, `${manifest}.partial`);
    expect(await run.import()).toMatchObject({ code: 1, error: "export_missing" });
    await writeFile(manifest, "{");
    expect(await run.import()).toMatchObject({ code: 1, error: "export_damaged" });
    await writeFile(manifest, "{}");
    expect(await run.import()).toMatchObject({ code: 1, error: "export_unknown" });
  });

  it("is found by its files, which can be left out", async () => {
    const { target, out, ...run } = await exported();
    const blobs = createFsBlobs({ directory: join(out, "files") });
    const [blobId = ""] = Object.keys(await blobsOf(blobs)).filter((name) => !name.includes("."));
    async function* damage() {
      yield Buffer.from("damage");
    }
    await blobs.put(blobId, damage());
    expect(await run.import()).toMatchObject({ code: 1, error: "damaged_file" });
    const { code, stdout } = await telexHere(["import", out, "--data", target, "--skip-damaged", "--json"]);
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({ files: { damaged: [{ fault: "damaged" }] } });
    expect(Object.keys(await blobsOf(blobsIn(target)))).not.toContain(blobId);
  });
});

describe("migrations", () => {
  it("are shown, made and undone", async () => {
    const data = await folder();
    await fillFolder(data);
    const status = await answer(["migrate", "status", "--data", data]);
    const latest = at(status, "latest");
    expect(status).toMatchObject({ version: latest });
    await answer(["migrate", "down", "--data", data]);
    expect(await answer(["migrate", "status", "--data", data])).toMatchObject({ version: Number(latest) - 1 });
    expect(await answer(["migrate", "up", "--data", data])).toMatchObject({
      version: latest,
      steps: [{ version: latest }],
    });
    expect(await answer(["migrate", "up", "--data", data])).toMatchObject({ version: latest, steps: [] });
    const { stdout } = await telexHere(["migrate", "status", "--data", data]);
    expect(stdout).toMatch(/^1 +base +yes$/m);
  });

  it("are refused for a database of a newer Telex, in a sentence", async () => {
    const data = await folder();
    await fillFolder(data);
    const database = new DatabaseSync(databaseOf(data));
    database.exec("PRAGMA user_version = 99; UPDATE schema_readers SET lowest = 99");
    database.close();
    for (const verb of ["status", "up", "down"]) {
      const refused = await refusal(["migrate", verb, "--data", data]);
      expect(refused).toMatchObject({ code: 1, error: "storage_newer" });
      expect(refused.msg).toMatch(/was written by a newer Telex: it has version 99, .* Use that Telex\.$/);
    }
    expect(await refusal(copyOf(data, await folder()))).toMatchObject({ code: 1, error: "storage_newer" });
    expect(await refusal(["backup", join(data, "x"), "--data", data])).toMatchObject({ error: "storage_newer" });
  });

  it("are refused for an unknown version, while a server runs, and without a database", async () => {
    const data = await folder();
    expect(await refusal(["migrate", "status", "--data", data])).toMatchObject({ code: 1, error: "storage_missing" });
    expect(await refusal(["migrate", "up", "--storage", "memory:"])).toMatchObject({ code: 2 });
    await serve(["--data", data]);
    expect(await refusal(["migrate", "up", "--to", "99", "--data", data])).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal(["migrate", "down", "--data", data])).toMatchObject({ code: 1, error: "storage_in_use" });
  });
});
