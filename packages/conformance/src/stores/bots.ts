import assert from "node:assert/strict";
import type { BotRecord } from "@telex/core/storage";
import { changeNames } from "./changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";

/** An account, with the given differences. */
export const botOf = (account: string, different: Partial<BotRecord> = {}): BotRecord => ({
  account,
  name: null,
  gateway: "onebot",
  network: "qq",
  official: false,
  digest: `digest of ${account}`,
  secret: null,
  connect: null,
  protocol: 0,
  minInterval: 1200,
  createdAt: now,
  ...different,
});

/** Promises of a storage about accounts of external networks. */
export const botCases: readonly StorageCase[] = defineCases("bots", {
  "accounts are listed by name as they are": async ({ storage, reopen }) => {
    const first = botOf("a", {
      name: "茶 tea",
      official: true,
      connect: "ws://127.0.0.1:1",
      secret: "s",
      protocol: 12,
    });
    const second = botOf("b", { network: "聊天", digest: null, minInterval: 0 });
    for (const bot of [second, first]) assert.equal(await storage.bots.appendBot(bot), "appended");
    assert.deepEqual(await (await reopen()).bots.listBots(), [first, second]);
  },

  "no account is added with the name or the secret of another": async ({ storage: { bots } }) => {
    await bots.appendBot(botOf("a"));
    assert.equal(await bots.appendBot(botOf("a", { digest: "other" })), "account_taken");
    assert.equal(await bots.appendBot(botOf("c", { digest: "digest of a" })), "secret_taken");
    assert.deepEqual(await bots.listBots(), [botOf("a")]);
  },

  "one account at most is official": async ({ storage: { bots } }) => {
    for (const bot of [botOf("a", { official: true }), botOf("b")]) await bots.appendBot(bot);
    assert.equal(await bots.appendBot(botOf("c", { official: true })), "official_taken");
    assert.deepEqual(await bots.amendBot("b", { official: true, network: "x" }), { outcome: "official_taken" });
    assert.deepEqual(await bots.listBots(), [botOf("a", { official: true }), botOf("b")]);
  },

  "many accounts have no secret, and none gets that of another": async ({ storage: { bots } }) => {
    for (const bot of [botOf("a"), botOf("b", { digest: null })]) await bots.appendBot(bot);
    assert.equal(await bots.appendBot(botOf("c", { digest: null })), "appended");
    assert.deepEqual(await bots.amendBot("c", { digest: "digest of a" }), { outcome: "secret_taken" });
  },

  "only the given fields change": async ({ storage, reopen }) => {
    await storage.bots.appendBot(botOf("a", { official: true }));
    const bot = botOf("a", { official: true, minInterval: 0 });
    assert.deepEqual(await storage.bots.amendBot("a", { minInterval: 0, official: true }), { outcome: "amended", bot });
    assert.deepEqual(await (await reopen()).bots.listBots(), [bot]);
  },

  "a name is set, stays through other changes, and is removed": async ({ storage, reopen }) => {
    await storage.bots.appendBot(botOf("a"));
    const bot = botOf("a", { name: "Tea" });
    assert.deepEqual(await storage.bots.amendBot("a", { name: "Tea" }), { outcome: "amended", bot });
    await storage.bots.amendBot("a", { protocol: 11 });
    const { bots } = await reopen();
    assert.deepEqual(await bots.listBots(), [{ ...bot, protocol: 11 }]);
    await bots.amendBot("a", { name: null });
    assert.deepEqual(await bots.listBots(), [botOf("a", { protocol: 11 })]);
  },

  "an account that does not exist cannot be changed": async ({ storage: { bots } }) => {
    assert.deepEqual(await bots.amendBot("b", { minInterval: 0 }), { outcome: "missing" });
  },

  "an account that was dropped is gone, and its name is free": async ({ storage: { bots } }) => {
    await bots.appendBot(botOf("a", { official: true }));
    assert.deepEqual([await bots.dropBot("a"), await bots.dropBot("a")], [true, false]);
    assert.deepEqual(await bots.listBots(), []);
    assert.equal(await bots.appendBot(botOf("a", { official: true })), "appended");
  },

  "each change is reported": async ({ storage: { bots, changes } }) => {
    await bots.appendBot(botOf("a"));
    await bots.amendBot("a", { protocol: 11 });
    await bots.dropBot("a");
    assert.deepEqual(await changeNames(changes, 0), ["bot a", "bot a", "bot a"]);
  },

  "a call that changes no account is not reported": async ({ storage: { bots, changes } }) => {
    for (const bot of [botOf("a"), botOf("a")]) await bots.appendBot(bot);
    await bots.amendBot("b", { protocol: 11 });
    await bots.dropBot("b");
    assert.deepEqual(await changeNames(changes, 0), ["bot a"]);
  },

  "of 20 that add an official account simultaneously one does": async ({ storage, race }) => {
    const results = await race(20, ({ bots }, caller) => bots.appendBot(botOf(`a-${caller}`, { official: true })));
    const outcomes = results.map((outcome) => ({ outcome }));
    assert.deepEqual(countOutcomes(outcomes), { appended: 1, official_taken: 19 });
    assert.equal((await storage.bots.listBots()).length, 1);
  },
});
