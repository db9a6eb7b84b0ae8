import type { Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { QuotaContract } from "./contract.ts";
import { lastDays } from "./period.ts";
import { type QuotaDeps, readQuota } from "./quota.ts";

interface QuotaAdminDeps extends QuotaDeps {
  readonly findUser: (userId: number) => Promise<object | null>;
}

async function assertUser({ findUser }: QuotaAdminDeps, userId: number): Promise<void> {
  if ((await findUser(userId)) === null) throw new TelexError("user_not_found");
}

export const createQuotaOperator = (deps: QuotaAdminDeps): Implementation<QuotaContract> => ({
  async assign(_operator, { userId, ...allocation }) {
    await assertUser(deps, userId);
    await deps.store.assignAllocation(userId, allocation);
    return { userId, ...allocation };
  },
  async show(_operator, { userId }) {
    await assertUser(deps, userId);
    return readQuota(deps, userId);
  },
  async history(_operator, { userId, days }) {
    await assertUser(deps, userId);
    const usage = await deps.store.listUsage(userId, lastDays(deps.zone.day(deps.clock.now()), days));
    return usage.map(({ day, replies, tokens }) => ({ day, replies, tokens }));
  },
});
