import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { answer } from "test-support/answers";
import { folder } from "test-support/command";
import { sharedMongo } from "test-support/shared-mongo";
import { contentsOf } from "./compare.ts";
import { load } from "./database.ts";
import { releases, unpack } from "./releases.ts";

it.each(releases)("the database of MongoDB that %s has written is all there", async (version) => {
  const [place, target] = [await folder(), join(await folder(), "export")];
  unpack(version, place);
  const url = `${sharedMongo()}/upgrade-${randomUUID()}`;
  const client = await new MongoClient(url).connect();
  onTestFinished(() => client.close());
  await load(client.db(), readFileSync(join(place, "mongo.json"), "utf8"));
  await answer(["export", target, "--storage", url, "--data", await folder()]);
  expect(contentsOf(target)).toMatchObject(contentsOf(join(place, "export")));
});
