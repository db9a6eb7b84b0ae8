import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFsBlobs } from "../src/fs.ts";
import { blobId, chunks, filesUnder, namesIn, temporaryDirectory, textOf } from "./support.ts";

const script = (name: string, directory: string): string[] => [
  "--conditions=telex-source",
  "--expose-gc",
  fileURLToPath(new URL(name, import.meta.url)),
  directory,
];

test("the rest of a killed process is not a blob, and is swept", async () => {
  const directory = await temporaryDirectory();
  const child = spawn(process.execPath, script("put-endless.ts", directory), { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");

  const blobs = createFsBlobs({ directory });
  expect(await filesUnder(directory)).toHaveLength(1);
  expect(await namesIn(blobs)).toEqual([]);
  expect(await blobs.open(blobId(0))).toBeNull();
  expect(await blobs.sweepPartial(Date.now() + 60_000)).toBe(1);
  expect(await filesUnder(directory)).toEqual([]);
  await blobs.put(blobId(0), chunks("again"));
  expect(await textOf(blobs, blobId(0))).toBe("again");
});

test("a blob of 100 MB adds less than 60 MiB of resident memory", async () => {
  const directory = await temporaryDirectory();
  const grown = Number(execFileSync(process.execPath, script("put-large.ts", directory), { encoding: "utf8" }));
  expect(grown).toBeLessThan(60);
});
