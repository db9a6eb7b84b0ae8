import type { BotStore } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `bots: ${sentence}`;

const spoilBots = (change: (store: BotStore) => Partial<BotStore>): BrokenStorage["spoil"] => override("bots", change);

/** Wrong stores of accounts of external networks. */
export const brokenBots: readonly BrokenStorage[] = [
  {
    fault: "accounts are listed in any order",
    found: [name("accounts are listed by name as they are")],
    spoil: spoilBots((store) => ({ listBots: async () => (await store.listBots()).toReversed() })),
  },
  {
    fault: "two accounts may have one secret",
    found: [name("no account is added with the name or the secret of another")],
    spoil: spoilBots((store) => ({ appendBot: (bot) => store.appendBot({ ...bot, digest: null }) })),
  },
  {
    fault: "a change takes away what is left out",
    found: [name("only the given fields change")],
    spoil: spoilBots((store) => ({
      amendBot: (account, change) => store.amendBot(account, { official: false, network: "", ...change }),
    })),
  },
  {
    fault: "the name is lost with the next change",
    found: [name("a name is set, stays through other changes, and is removed")],
    spoil: spoilBots((store) => ({
      amendBot: (account, change) => store.amendBot(account, { name: null, ...change }),
    })),
  },
  {
    fault: "what was dropped is still there",
    found: [name("an account that was dropped is gone, and its name is free")],
    spoil: spoilBots((store) => ({
      dropBot: async (account) => (await store.listBots()).some((bot) => bot.account === account),
    })),
  },
  {
    fault: "a change of nothing is reported",
    found: [name("a call that changes no account is not reported")],
    spoil: spoilBots((store) => ({
      async dropBot(account) {
        const isThere = await store.dropBot(account);
        if (!isThere) await store.appendBot({ ...emptyBot, account });
        return isThere;
      },
    })),
  },
  {
    fault: "the official account is looked for, then added",
    found: [name("of 20 that add an official account simultaneously one does")],
    spoil: spoilBots((store) => ({
      async appendBot(bot) {
        const all = await store.listBots();
        if (bot.official && all.some(({ official }) => official)) return "official_taken";
        await meanwhile();
        return store.appendBot({ ...bot, official: false });
      },
    })),
  },
];

const emptyBot = {
  name: null,
  gateway: "",
  network: "",
  official: false,
  digest: null,
  secret: null,
  connect: null,
  protocol: 0,
  minInterval: 0,
  createdAt: 0,
} as const;
