import type { BotConflict, BotRecord, BotStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Verb } from "../engine/gate.ts";
import type { Kept } from "../engine/tables.ts";

/** The conflict between an account and the others, or null. */
function conflictOf(others: readonly BotRecord[], bot: BotRecord): BotConflict | null {
  if (others.some(({ account }) => account === bot.account)) return "account_taken";
  if (bot.digest !== null && others.some(({ digest }) => digest === bot.digest)) return "secret_taken";
  return bot.official && others.some(({ official }) => official) ? "official_taken" : null;
}

/** Accounts of external networks in memory. */
export function createBotStore(verb: Verb, report: Report): Kept<BotStore, "bots"> {
  const bots = new Map<string, BotRecord>();
  const list = (): BotRecord[] => Array.from(bots.values()).toSorted((a, b) => (a.account < b.account ? -1 : 1));
  const put = (bot: BotRecord): void => {
    bots.set(bot.account, { ...bot });
    report("bot", bot.account);
  };
  const store: BotStore = {
    appendBot: verb((bot) => {
      const conflict = conflictOf(list(), bot);
      if (conflict === null) put(bot);
      return conflict ?? "appended";
    }),
    amendBot: verb((account, change) => {
      const before = bots.get(account);
      if (before === undefined) return { outcome: "missing" };
      const bot = { ...before, ...change };
      const others = list().filter((other) => other !== before);
      const conflict = conflictOf(others, bot);
      if (conflict !== null) return { outcome: conflict };
      put(bot);
      return { outcome: "amended", bot };
    }),
    dropBot: verb((account) => {
      const isThere = bots.delete(account);
      if (isThere) report("bot", account);
      return isThere;
    }),
    listBots: verb(list),
  };
  return {
    store,
    tables: { bots: { all: () => bots.values(), put: (bot) => void bots.set(bot.account, { ...bot }) } },
  };
}
