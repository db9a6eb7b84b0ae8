import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect } from "vitest";
import { folder } from "test-support/command";

/** A key pair of age: the public key, and the file with the secret one. */
export async function createKey(): Promise<{ readonly recipient: string; readonly identity: string }> {
  const secret = await generateX25519Identity();
  const identity = join(await folder(), "key.txt");
  const recipient = await identityToRecipient(secret);
  await writeFile(identity, `# public key: ${recipient}\n${secret}\n`);
  return { recipient, identity };
}

/** Fails if a data folder lacks one of these files, or its bytes. */
export async function assertHolds(data: string, digests: readonly string[]): Promise<void> {
  const storage = await createSqliteStorage({ file: join(data, "telex.db") });
  const blobs = createFsBlobs({ directory: join(data, "blobs") });
  for (const md5 of digests) {
    const hash = createHash("md5");
    const file = await storage.bucket.findFile(md5);
    for await (const chunk of (await blobs.open(file?.blobId ?? "")) ?? []) hash.update(chunk);
    expect(hash.digest("hex")).toBe(md5);
  }
  await storage.close();
}
