import type { BotRecord } from "../records/gateways.ts";

/** Why an account is not taken: another one has the name, or the secret, or is the official one. */
export type BotConflict = "account_taken" | "secret_taken" | "official_taken";

/** Changes of an account. Fields that are left out do not change. */
export type BotChange = Partial<Omit<BotRecord, "account" | "gateway" | "createdAt">>;

/**
 * Accounts of external networks. Every verb is atomic among all callers of all processes; a promise resolves when its change is
 * durable. No two accounts have the same name, or the same digest that is not null, and at most one is official.
 */
export interface BotStore {
  /** Adds an account, and reports a change of `bot`. */
  appendBot(bot: BotRecord): Promise<"appended" | BotConflict>;

  /** Changes the given fields, and reports a change of `bot`. A conflict changes nothing. */
  amendBot(
    account: string,
    change: BotChange,
  ): Promise<{ readonly outcome: "amended"; readonly bot: BotRecord } | { readonly outcome: "missing" | BotConflict }>;

  /** Deletes an account, and reports a change of `bot`. False if it does not exist. */
  dropBot(account: string): Promise<boolean>;

  /** All accounts, by name. */
  listBots(): Promise<readonly BotRecord[]>;
}
