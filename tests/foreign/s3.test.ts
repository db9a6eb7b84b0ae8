import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createS3Blobs, createS3Objects, type S3Options } from "@telex/blobs/s3";
import { blobConformance } from "@telex/conformance";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder, serve, start, telex, until } from "test-support/command";
import { contentsOf, fillFolder } from "test-support/filled";
import { parse, textAt } from "test-support/json";
import { type Moto, motoKeys, startMoto } from "./support/moto.ts";
import { freePort } from "test-support/port";

const keys = motoKeys;
let moto: Moto;
const createBucket = (): Promise<S3Options> => moto.createBucket();

beforeAll(async () => {
  moto = await startMoto();
});

afterAll(() => moto.stop());

describe("blobs in a bucket of moto", { timeout: 180_000 }, () => {
  blobConformance({
    test: it,
    create: async () => {
      const options = await createBucket();
      return {
        blobs: createS3Blobs(options),
        reopen: () => Promise.resolve(createS3Blobs(options)),
        destroy: () => Promise.resolve(),
      };
    },
  });

  it("lists more than one page, and nothing of others in the bucket", async () => {
    const options = await createBucket();
    const blobs = createS3Blobs({ ...options, pageSize: 2 });
    const others = createS3Blobs({ ...options, prefix: "blobs/of-others/" });
    const names = Array.from({ length: 5 }, (_, index) => index.toString(16).padStart(32, "0"));
    async function* content() {
      yield Buffer.from("x");
    }
    for (const name of names) await blobs.put(name, content());
    await others.put("f".repeat(32), content());
    const listed: string[] = [];
    for await (const { blobId } of blobs.list()) listed.push(blobId);
    expect(listed).toEqual(names);
  });

  it("ends an upload that a process has left behind, and none that is in progress", async () => {
    const options = await createBucket();
    const blobs = createS3Blobs(options);
    const id = "a".repeat(32);
    const begun = await fetch(`${moto.endpoint}/${options.bucket}/blobs/${id}?uploads`, { method: "POST" });
    expect(begun.status).toBe(200);
    expect(await blobs.sweepPartial(Date.UTC(2000, 0))).toBe(0);
    const part = Buffer.alloc(5 * 2 ** 20 + 1);
    async function* swept() {
      yield part;
      expect(await blobs.sweepPartial(Date.now() + 3_600_000)).toBe(1);
      yield part;
    }
    await blobs.put("b".repeat(32), swept());
    const sizes: number[] = [];
    for await (const { size } of blobs.list()) sizes.push(size);
    expect(sizes).toEqual([2 * part.byteLength]);
  });

  it("keeps the files of a server, which migrate copy has moved there, and backs them up", async () => {
    const [from, to, backups] = [await folder(), await folder(), await folder()];
    await fillFolder(from);
    const { bucket } = await createBucket();
    const place = `s3:${moto.endpoint}/${bucket}/telex`;
    const env = { TELEX_BLOBS_ACCESS_KEY: keys.accessKeyId, TELEX_BLOBS_SECRET_KEY: keys.secretAccessKey };
    const run = async (...args: string[]): Promise<void> => {
      const { code, stderr } = await telex([...args, "--json"], { env });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    };
    const sqlite = (data: string): string => `sqlite:${join(data, "telex.db")}`;
    await run("migrate", "copy", "--from", sqlite(from), "--to", sqlite(to), "--to-blobs", place);
    expect((await readdir(to)).includes("blobs")).toBe(false);

    const issue = ["token", "issue", "--user", "1", "--scope", "chat", "--data", to, "--blobs", place, "--json"];
    const token = textAt(parse((await telex(issue, { env })).stdout), "token");
    const server = await serve(["--data", to, "--blobs", place], { env });
    const bytes = randomBytes(12 * 2 ** 20);
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "large.bin");
    const headers = { authorization: `Bearer ${token}` };
    const uploaded = await fetch(`${server.url}/external/api/v1/bucket/upload`, {
      method: "POST",
      headers,
      body: form,
    });
    const fileId = textAt(await uploaded.json(), "data", "file_id");
    const download = await fetch(`${server.url}/api/file/${fileId}`, {
      headers: { ...headers, range: "bytes=6000000-6000099" },
    });
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes.subarray(6_000_000, 6_000_100))).toBe(true);
    await run("backup", join(backups, "one"), "--data", to, "--blobs", place);
    expect(await server.stop()).toBe(0);
    const [before, copied] = [await contentsOf(from), await contentsOf(join(backups, "one"))];
    expect(copied.blobs).toMatchObject(before.blobs);
    expect(Object.keys(copied.blobs)).toHaveLength(Object.keys(before.blobs).length + 1);
  });

  it("keeps backups, which are restored, and none that was interrupted", async () => {
    const [data, restored] = [await folder(), await folder()];
    await fillFolder(data, { files: 40 });
    const { bucket } = await createBucket();
    const place = `s3:${moto.endpoint}/${bucket}/backups`;
    const env = { TELEX_BACKUP_ACCESS_KEY: keys.accessKeyId, TELEX_BACKUP_SECRET_KEY: keys.secretAccessKey };
    const secret = await generateX25519Identity();
    const identity = join(await folder(), "key.txt");
    await writeFile(identity, secret);
    const sealed = ["--recipient", await identityToRecipient(secret)];
    const objects = createS3Objects({ endpoint: moto.endpoint, bucket, prefix: "backups/", ...keys });
    const namesIn = async (): Promise<string[]> => {
      const names: string[] = [];
      for await (const { key } of objects.list()) names.push(key);
      return names;
    };
    const run = async (...args: string[]) => await telex([...args, "--json"], { env });

    const child = start(["backup", `${place}/one`, "--data", data, ...sealed], { env });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await until(async () => (await namesIn()).length > 1);
    child.kill("SIGKILL");
    await ended;
    expect((await run("restore", `${place}/one`, "--data", restored)).stderr).toContain("backup_missing");

    for (const [name, ...flags] of [
      ["one", ...sealed],
      ["many", "--keep", "1"],
      ["many", "--keep", "1", ...sealed],
    ]) {
      const made = await run("backup", `${place}/${name}`, "--data", data, ...flags);
      expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
      const target = join(await folder(), "data");
      const opening = flags.includes("--recipient") ? ["--identity", identity] : [];
      const done = await run("restore", `${place}/${name}`, "--data", target, ...opening);
      expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
      expect(await contentsOf(target)).toEqual(await contentsOf(data));
    }
    const names = await namesIn();
    expect(names.filter((name) => name.endsWith("manifest.ndjson"))).toHaveLength(2);
    expect(names.every((name) => name.endsWith(".age") || name.endsWith("manifest.ndjson"))).toBe(true);
    // The age program itself decrypts the backup of Telex.
    const sealedFile = join(await folder(), "telex.db.age");
    await writeFile(sealedFile, (await objects.open("one/telex.db.age")) ?? []);
    const decrypt = ["--decrypt", "--identity", identity, sealedFile];
    const opened = await promisify(execFile)("age", decrypt, { encoding: "buffer", maxBuffer: 2 ** 30 });
    expect(opened.stdout.subarray(0, 15).toString()).toBe("SQLite format 3");
    const again = await run("backup", `${place}/one`, "--data", data);
    expect(again.stderr).toContain("is a backup already");
  });

  it("says why a bucket takes and gives no backup, and never a key", async () => {
    const data = await folder();
    await fillFolder(data);
    const env = { TELEX_BACKUP_ACCESS_KEY: "verysecretid", TELEX_BACKUP_SECRET_KEY: "verysecretkey" };
    const place = `s3:${moto.endpoint}/missing-${randomBytes(4).toString("hex")}`;
    const nobody = `s3:http://127.0.0.1:${await freePort()}/telex`;
    for (const args of [["backup"], ["restore"]]) {
      const refused = await telex([...args, place, "--data", data], { env });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("Reason: The S3 service responded with 404 NoSuchBucket.");
      const gone = await telex([...args, nobody, "--data", data], { env });
      expect(gone.stderr).toMatch(/Reason: .*ECONNREFUSED/);
      expect(refused.stderr + gone.stderr).not.toContain("verysecret");
    }
  });

  it("says that the storage is not there without a bucket, and without the service", async () => {
    const missing = createS3Blobs({ endpoint: moto.endpoint, bucket: "missing", ...keys });
    await expect(missing.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(missing.open("a".repeat(32))).rejects.toMatchObject({ code: "storage_unavailable" });
    const gone = createS3Blobs({ endpoint: `http://127.0.0.1:${await freePort()}`, bucket: "telex", ...keys });
    await expect(gone.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  });
});
