import type { MessageAppend } from "@telex/core/storage";
import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { onTestFinished } from "vitest";
import { sharedMongo } from "test-support/shared-mongo";
import { createMongoStorage, type MongoStorage, type MongoStorageOptions } from "../../src/index.ts";

/** The address of a new database. Databases stay until the server of the tests ends. */
export const newDatabase = (): string => `${sharedMongo()}/telex-${randomUUID()}`;

/** A storage that is closed with the test. */
export async function openStorage(options: MongoStorageOptions): Promise<MongoStorage> {
  const storage = await createMongoStorage(options);
  onTestFinished(() => storage.close());
  return storage;
}

/** Makes a database like a new one by emptying its collections, which is much faster than creating one. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  try {
    const db = client.db();
    const collections = await db.collections();
    await Promise.all(
      collections
        .filter(({ collectionName }) => collectionName !== "meta" && collectionName !== "numbers")
        .map((collection) => collection.deleteMany({})),
    );
    await db.collection("numbers").updateMany({}, { $set: { value: 0 } });
  } finally {
    await client.close();
  }
}

/** A user with default values. */
export const person = {
  nickname: "Ada",
  ext: null,
  phone: null,
  avatar: null,
  ai: null,
  oneBot: null,
  suspended: false,
  createdAt: 1,
};

/** A message of a room. */
export const messageIn = (groupId: number, content: string): MessageAppend => ({
  message: {
    groupId,
    userId: "7",
    external: false,
    type: 0,
    content,
    pinyin: content,
    nickname: "Ada",
    nicknamePinyin: "Ada",
    createTime: 1,
    receiveTime: 1,
    botMessageId: null,
    notice: null,
  },
  nonce: null,
  files: [],
  attachments: [],
  network: null,
  sent: null,
});
