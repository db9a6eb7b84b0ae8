import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUnstorageBlobs } from "@telex/blobs/unstorage";
import { blobConformance } from "@telex/conformance";
import { createStorage, type Driver } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder, serve, telex, until } from "test-support/command";
import { contentsOf, fillFolder } from "test-support/filled";
import { parse, textAt } from "test-support/json";
import { type Moto, motoKeys, startMoto } from "./support/moto.ts";
import { runToSuccess } from "./support/run.ts";

let home = "";
let redis: ChildProcess;
let moto: Moto;

const socket = (): string => join(home, "redis.sock");

/** Starts Redis as docs/operating.md recommends: it syncs each write before it answers, and evicts nothing. */
async function startRedis(): Promise<ChildProcess> {
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save", ""];
  const args = ["--port", "0", "--unixsocket", socket(), "--dir", home, ...durable];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  await until(() =>
    runToSuccess("redis-cli", ["-s", socket(), "ping"]).then(
      (said) => said.trim() === "PONG",
      () => false,
    ),
  );
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "telex-redis-"));
  [redis, moto] = await Promise.all([startRedis(), startMoto()]);
});

afterAll(async () => {
  await Promise.all([kill(redis), moto.stop()]);
  await rm(home, { recursive: true, force: true });
});

describe("blobs in Redis, over its driver of unstorage", () => {
  blobConformance({
    test: it,
    create: () => {
      const base = randomUUID();
      const opened: { dispose(): Promise<void> }[] = [];
      const open = () => {
        // oxlint-disable-next-line typescript/no-unsafe-assignment -- the driver's own type does not resolve under nodenext
        const driver: Driver = redisDriver({ path: socket(), base });
        const storage = createStorage({ driver });
        opened.push(storage);
        return createUnstorageBlobs(storage);
      };
      return Promise.resolve({
        blobs: open(),
        reopen: () => Promise.resolve(open()),
        destroy: async () => {
          for (const storage of opened) await storage.dispose();
        },
      });
    },
  });
});

const sqlite = (data: string): string => `sqlite:${join(data, "telex.db")}`;

describe("the setting blobs", () => {
  it("moves files between a folder, Redis and a bucket, and serves from Redis after it was killed", async () => {
    const [from, over, bucketed, back] = [await folder(), await folder(), await folder(), await folder()];
    await fillFolder(from);
    const place = `unstorage:redis?path=${socket()}&base=${randomUUID()}`;
    const { bucket } = await moto.createBucket();
    const s3 = `s3:${moto.endpoint}/${bucket}`;
    const env = { TELEX_BLOBS_ACCESS_KEY: motoKeys.accessKeyId, TELEX_BLOBS_SECRET_KEY: motoKeys.secretAccessKey };
    const copy = async (...args: string[]): Promise<void> => {
      const { code, stderr } = await telex(["migrate", "copy", "--json", ...args], { env });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    };
    await copy("--from", sqlite(from), "--to", sqlite(over), "--to-blobs", place);
    await kill(redis);
    redis = await startRedis();

    const settings = ["--data", over, "--blobs", place];
    const issued = await telex(["token", "issue", "--user", "1", "--scope", "chat", "--json", ...settings]);
    const server = await serve(settings);
    const headers = { authorization: `Bearer ${textAt(parse(issued.stdout), "token")}` };
    const bytes = randomBytes(3 * 2 ** 20 + 5);
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "large.bin");
    const upload = { method: "POST", headers, body: form };
    const uploaded = await fetch(`${server.url}/external/api/v1/bucket/upload`, upload);
    const url = `${server.url}/api/file/${textAt(await uploaded.json(), "data", "file_id")}`;
    expect(Buffer.from(await (await fetch(url, { headers })).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain("[ioredis]");

    await copy("--from", sqlite(over), "--from-blobs", place, "--to", sqlite(bucketed), "--to-blobs", s3);
    await copy("--from", sqlite(bucketed), "--from-blobs", s3, "--to", sqlite(back));
    const [first, last] = [await contentsOf(from), await contentsOf(back)];
    expect(last.blobs).toMatchObject(first.blobs);
    expect(Object.keys(last.blobs)).toHaveLength(Object.keys(first.blobs).length + 1);
  });
});
