import { createLogCollector } from "@telex/conformance/testing";
import { startMongoRouter } from "test-support/mongo-router";
import { sharedMongo } from "test-support/shared-mongo";
import { expect, it, onTestFinished } from "vitest";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

it("the router of a sharded cluster is used, and the log warns of it once", async () => {
  const url = newDatabase();
  const router = await startMongoRouter(sharedMongo());
  onTestFinished(router.close);
  const log = createLogCollector();
  const storage = await openStorage({ url: url.replace(new URL(url).host, router.host), log });
  await storage.messages.append(messageIn(7, "hello"));
  expect(log.lines).toEqual([expect.stringContaining("storage.sharded")]);
  const direct = createLogCollector();
  await openStorage({ url, log: direct });
  expect(direct.lines).toEqual([]);
});
