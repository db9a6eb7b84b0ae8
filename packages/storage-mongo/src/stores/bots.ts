import { recordOf } from "../driver/documents.ts";
import type { BotConflict, BotRecord, BotStore } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, plain, recordsOf } from "../driver/collections.ts";
import type { Tx } from "../driver/transaction.ts";

/** The conflict between an account and the others, or null. All verbs report changes, so they conflict with each other. */
async function conflictOf(tx: Tx, bot: BotRecord, before: BotRecord | null): Promise<BotConflict | null> {
  const others = (await tx.list("bots", {})).filter(({ account }) => account !== before?.account);
  if (others.some(({ account }) => account === bot.account)) return "account_taken";
  if (bot.digest !== null && others.some(({ digest }) => digest === bot.digest)) return "secret_taken";
  return bot.official && others.some(({ official }) => official) ? "official_taken" : null;
}

function put(tx: Tx, bot: BotRecord): void {
  tx.put("bots", plain("bots", bot));
  tx.report("bot", bot.account);
}

/** Accounts of external networks. */
export const createBotStore = ({ db, batches: { write, single } }: StoreDeps): BotStore => ({
  appendBot(fields) {
    const bot = { ...fields };
    return write(feedRoot, async (tx) => {
      const conflict = await conflictOf(tx, bot, null);
      if (conflict === null) put(tx, bot);
      return conflict ?? "appended";
    });
  },
  amendBot(account, fields) {
    const change = { ...fields };
    return write(feedRoot, async (tx) => {
      const before = await tx.find("bots", account);
      if (before === null) return { outcome: "missing" };
      const bot = { ...recordOf("bots", before), ...change };
      const conflict = await conflictOf(tx, bot, before);
      if (conflict !== null) return { outcome: conflict };
      put(tx, bot);
      return { outcome: "amended", bot };
    });
  },
  dropBot: (account) =>
    write(feedRoot, async (tx) => {
      if ((await tx.find("bots", account)) === null) return false;
      tx.drop("bots", account);
      tx.report("bot", account);
      return true;
    }),
  listBots: () =>
    single(async () =>
      recordsOf(
        "bots",
        await collectionOf(db, "bots")
          .find({}, { sort: { _id: 1 } })
          .toArray(),
      ),
    ),
});
