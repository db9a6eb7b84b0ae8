import type { Implementation } from "../contract.ts";
import { TelexError } from "../errors.ts";
import type { Clock, Zone } from "../time.ts";
import type { AiContract, ConversationView, QuotaContract, QuotaView } from "./contract.ts";
import { boundsOf, periodOf } from "./period.ts";
import type { AiStore, Allocation, ConversationRecord } from "./store.ts";

/** What quotas and conversations need. */
export interface AiDependencies {
  readonly store: AiStore;
  readonly clock: Clock;
  readonly zone: Zone;
  /** The quota of a user without an own one. */
  readonly allocation: Allocation;
  readonly findUser: (userId: number) => Promise<object | null>;
}

async function readQuota({ store, clock, zone, allocation }: AiDependencies, userId: number): Promise<QuotaView> {
  const { unit, max, period } = (await store.findAllocation(userId)) ?? allocation;
  const days = periodOf(zone.day(clock.now()), period);
  const used = await store.sumUsage(userId, days);
  const { start, end } = boundsOf(days, zone);
  return {
    messageCount: used.replies,
    tokenCount: used.tokens,
    allocationUnit: unit,
    allocationMax: max,
    allocationPeriod: period,
    lastReset: start,
    nextReset: end,
  };
}

const conversationView = (record: ConversationRecord, zone: Zone): ConversationView => ({
  id: record.id,
  userId: record.userId,
  title: record.title,
  status: record.status,
  defaultModel: record.defaultModel,
  lastMessage: zone.format(record.lastMessage),
  totalToken: record.totalToken,
});

/** AI conversation data (interface 4.2). */
export function createAiService(deps: AiDependencies): Implementation<AiContract> {
  return {
    quota: ({ userId }) => readQuota(deps, userId),
    async conversations({ userId }, { page, pageSize }) {
      const { total, list } = await deps.store.listConversations(userId, {
        offset: (page - 1) * pageSize,
        limit: pageSize,
      });
      return { page, pageSize, total, list: list.map((record) => conversationView(record, deps.zone)) };
    },
  };
}

/** What the operator does with quotas. */
export function createQuotaService(deps: AiDependencies): Implementation<QuotaContract> {
  const assertUser = async (userId: number): Promise<void> => {
    if ((await deps.findUser(userId)) === null) throw new TelexError("user_not_found");
  };
  return {
    async assign(_operator, { userId, ...allocation }) {
      await assertUser(userId);
      await deps.store.assignAllocation(userId, allocation);
      return { userId, ...allocation };
    },
    async show(_operator, { userId }) {
      await assertUser(userId);
      return readQuota(deps, userId);
    },
  };
}
