import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { S3Options } from "@telex/blobs/s3";
import { pythonProgram } from "./python.ts";
import { freePort } from "test-support/port";

/** A service with the protocol of S3. */
export interface Moto {
  readonly endpoint: string;
  /** Creates a new bucket. */
  createBucket(): Promise<S3Options>;
  stop(): Promise<unknown>;
}

/** The keys that the service accepts. */
export const motoKeys = { accessKeyId: "foreign", secretAccessKey: "foreign" } as const;

/** Starts moto, and waits until it responds. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const child = spawn(pythonProgram("moto_server"), ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  const exited = once(child, "exit");
  const endpoint = `http://127.0.0.1:${port}`;
  while ((await fetch(endpoint).catch(() => null)) === null) await delay(50);
  return {
    endpoint,
    async createBucket() {
      const bucket = `telex-${randomUUID()}`;
      const made = await fetch(`${endpoint}/${bucket}`, { method: "PUT" });
      if (!made.ok) throw new Error(`The bucket was not made: ${made.status}`);
      return { endpoint, bucket, prefix: "blobs/", ...motoKeys };
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
