import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Records } from "@telex/core/storage";
import { expect, it, onTestFinished } from "vitest";
import { NdjsonRecords } from "./ndjson.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "telex-ndjson-"));
  onTestFinished(async () => await rm(path, { recursive: true }));
  return path;
}

const described = { name: "", kind: "", createdAt: 0 };

const uploads = (count: number, from = 1): Records["uploads"][] =>
  Array.from({ length: count }, (_, index) => ({ md5: "文件", userId: from + index, ...described }));

const listAll = (records: NdjsonRecords) => records.list("uploads", { after: null, limit: 10_000 });

it("gives back what was put, from any key on, also if lines are longer than one read", async () => {
  const records = new NdjsonRecords(await folder());
  const long = { md5: "长".repeat(300_000), userId: 1, ...described };
  await records.put("uploads", [...uploads(3), long]);
  expect(await listAll(records)).toEqual([...uploads(3), long]);
  expect(await records.list("uploads", { after: ["文件", 1], limit: 1 })).toEqual(uploads(1, 2));
  expect(await records.list("uploads", { after: ["文件", 2], limit: 9 })).toEqual([...uploads(1, 3), long]);
  expect(await records.list("uploads", { after: ["文", 9], limit: 1 })).toEqual(uploads(1));
  expect(await records.list("uploads", { after: ["长".repeat(300_000), 1], limit: 9 })).toEqual([]);
  expect(await records.count("uploads")).toBe(4);
});

it("has nothing where nothing was put", async () => {
  const records = new NdjsonRecords(join(await folder(), "not there yet"));
  expect(await listAll(records)).toEqual([]);
  expect(await records.count("uploads")).toBe(0);
  await records.put("uploads", []);
  await records.put("uploads", uploads(1));
  expect(await listAll(records)).toEqual(uploads(1));
});

it("takes away a line that was cut off, and passes over what is there already", async () => {
  const path = await folder();
  await new NdjsonRecords(path).put("uploads", uploads(4));
  await appendFile(join(path, "uploads.ndjson"), '{"md5":"文件","us');
  const again = new NdjsonRecords(path);
  expect(await listAll(again)).toEqual(uploads(4));
  await again.put("uploads", uploads(3, 3));
  await again.put("uploads", uploads(2, 4));
  expect(await listAll(again)).toEqual(uploads(5));
  expect(await readFile(join(path, "uploads.ndjson"), "utf8")).toMatch(/^(\{.*\}\n){5}$/);
});

it("says which file has a line that is not a record", async () => {
  const path = await folder();
  await appendFile(join(path, "uploads.ndjson"), "no JSON\n");
  await expect(listAll(new NdjsonRecords(path))).rejects.toThrow("uploads.ndjson has a line that is not JSON.");
  await appendFile(join(path, "users.ndjson"), "{}\n");
  const users = new NdjsonRecords(path).list("users", { after: null, limit: 1 });
  await expect(users).rejects.toThrow(/^A record of users is not one at userId: /);
});
