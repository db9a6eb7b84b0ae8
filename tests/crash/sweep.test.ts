import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { at } from "test-support/json";
import { folder, serve } from "test-support/command";
import { createRandom } from "@telex/conformance/testing";
import { openChannel } from "@telex/ws/client";
import { anything, createApi, valueOf } from "./support/api.ts";
import { filesBelow } from "./support/disks.ts";
import { makeFile } from "./support/files.ts";
import { setStage, type Stage } from "./support/calls.ts";
import { operate } from "./support/new-world.ts";
import { paths } from "./support/paths.ts";

/** Disk space of the files below a folder, in bytes. */
function diskUsage(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
}

const random = createRandom(3);
const images = Array.from({ length: 4 }, () => makeFile(random, "alice", true));
const download = (md5: string): string => `/download/${md5}.png`;

/** Uploads the images, requests a preview of each, and uses the first in a message. */
async function fillBucket(url: string, { alice, groupId }: Stage): Promise<void> {
  const api = createApi(url, alice.token);
  for (const { bytes, md5 } of images) {
    valueOf(await api.upload(paths.upload, bytes, anything), "upload");
    valueOf(await api.download(`/download/128_${md5}.png`), "preview");
  }
  const rooms = await openChannel({ url, token: alice.token, channel: "rooms" });
  const message = [{ type: "image" as const, data: { file_id: images[0]?.md5 ?? "" } }];
  await rooms.call("sendGroupMessage", { groupId, groupType: 1, message });
}

/** Sweeps until this many files are gone. */
async function sweepFiles(data: string, count: number, ...settings: readonly string[]): Promise<void> {
  for (let files = 0; files < count;) files += Number(at(await operate(data, "files", "sweep", ...settings), "files"));
}

it("a sweep while the server runs gives back the bytes of files past their time, and their previews", async () => {
  const stage = await setStage(join(await folder(), "data"));
  const blobs = join(stage.data, "blobs");
  // Long enough for the first sweep to find nothing.
  const server = await serve(["--data", stage.data, "--unused-file-life", "15s"]);
  const anybody = createApi(server.url, null);
  await fillBucket(server.url, stage);
  const all = diskUsage(blobs);
  expect(filesBelow(blobs)).toHaveLength(8);

  expect(await operate(stage.data, "files", "sweep")).toMatchObject({ files: 0, orphans: 0 });
  expect(diskUsage(blobs)).toBe(all);
  await sweepFiles(stage.data, 3);
  expect(filesBelow(blobs)).toHaveLength(2);
  expect(diskUsage(blobs)).toBeLessThan(all / 2);
  const found = await Promise.all(
    images.map(async ({ md5 }) => valueOf(await anybody.download(download(md5)), md5) !== null),
  );
  expect(found).toEqual([true, false, false, false]);

  await sweepFiles(stage.data, 1, "--image-life", "1s");
  expect(diskUsage(blobs)).toBe(0);
  expect(valueOf(await anybody.download(download(images[0]?.md5 ?? "")), "download")).toBeNull();
});

/** An upload that stops after some bytes have reached the disk. */
async function stopHalfway(url: string, token: string, blobs: string): Promise<void> {
  const body = request(`${url}${paths.upload}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 50_000_000,
    },
  });
  body.on("error", () => undefined);
  body.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
  const part = Buffer.alloc(1_000_000, 7);
  for (let count = 0; count < 8; count += 1) if (!body.write(part)) await once(body, "drain");
  await expect.poll(() => diskUsage(blobs), { timeout: 20_000 }).toBeGreaterThan(4_000_000);
}

it("a sweep takes away what a crash left behind, once no upload can be about to use it", async () => {
  const stage = await setStage(join(await folder(), "data"));
  const blobs = join(stage.data, "blobs");
  mkdirSync(blobs);
  const first = await serve(["--data", stage.data]);
  await stopHalfway(first.url, stage.alice.token, blobs);
  const ended = once(first.process, "close");
  first.process.kill("SIGKILL");
  await ended;
  const [partial = ""] = filesBelow(join(blobs, ".partial"));
  const left = diskUsage(blobs);
  expect(left).toBeGreaterThan(4_000_000);

  const second = await serve(["--data", stage.data]);
  onTestFinished(() => void second.process.kill("SIGKILL"));
  expect(await operate(stage.data, "files", "sweep")).toMatchObject({ orphans: 0 });
  expect(diskUsage(blobs)).toBe(left);

  const past = new Date(Date.now() - 3 * 3_600_000);
  utimesSync(join(blobs, ".partial", partial), past, past);
  expect(await operate(stage.data, "files", "sweep")).toMatchObject({ orphans: 1 });
  expect(diskUsage(blobs)).toBe(0);
});

it("a whole file without a record, as a crash before the record leaves it, is taken away too", async () => {
  const stage = await setStage(join(await folder(), "data"));
  const blobs = join(stage.data, "blobs");
  const server = await serve(["--data", stage.data]);
  await fillBucket(server.url, stage);
  const before = diskUsage(blobs);
  const [shard = ""] = readdirSync(blobs).filter((name) => name.length === 2);
  const name = `${shard}${"0".repeat(30)}`;
  const [some = ""] = readdirSync(join(blobs, shard));
  renameSync(join(blobs, shard, some), join(blobs, shard, name));
  const past = new Date(Date.now() - 3 * 3_600_000);
  utimesSync(join(blobs, shard, name), past, past);
  const { size } = statSync(join(blobs, shard, name));
  expect(await operate(stage.data, "files", "sweep")).toMatchObject({ orphans: 1, bytes: size });
  expect(diskUsage(blobs)).toBeLessThan(before);
});
