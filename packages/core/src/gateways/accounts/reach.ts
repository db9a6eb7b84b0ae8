import { createLru } from "@telex/ground/caches";
import { z } from "zod";
import type { Clock } from "@telex/ground/time";
import type { LeaseRecord, LeaseStore } from "@telex/ground/leases";
import type { Gateway } from "../../networks/gateway.ts";
import { type AccountLeases, findHeld, readNote } from "./leases.ts";
import { type Account, isOnline } from "./routes.ts";
import type { AccountQuestion } from "../bus-events.ts";
import type { AccountQuestions, Unanswered } from "./questions.ts";

type Reach = { readonly at: "here" } | { readonly at: "there"; readonly server: string };

interface ReachDeps {
  readonly store: Pick<LeaseStore, "listLeases">;
  readonly accountLeases: Pick<AccountLeases, "isHeld">;
  readonly questions: Pick<AccountQuestions, "ask">;
  readonly hasPeers: boolean;
  /** The holder of the leases of this server. */
  readonly self: string;
  readonly clock: Clock;
}

/** The calls of a gateway that any server can make. */
type ReachedGateway = Pick<Gateway, "name" | "recall" | "react" | "listMembers" | "findMember">;

export interface Reaching {
  /** Where an account takes messages now; null if it is offline. At most a second old. */
  find(account: Account): Promise<Reach | null>;
  /** The gateway of the account, wherever it is; null if it is offline. */
  gatewayOf(account: Account): Promise<ReachedGateway | null>;
  /** True if another server has the account. */
  isElsewhere(account: string): Promise<boolean>;
  /** A server has taken or released an account. */
  forget(account: string): void;
}

/** Accounts whose leases are remembered, and milliseconds for which they are. */
const remembered = { max: 1000, ttl: 1000 } as const;
const patience = 5000;

const here: Reach = { at: "here" };

const members = z.array(z.object({ ext: z.string(), nickname: z.string(), card: z.string().nullable() }));

const reacted = z.object({
  outcome: z.enum(["done", "unsupported", "refused", "offline", "unknown"]),
  detail: z.string().optional(),
});

const foundMember = z.object({ member: z.object({ nickname: z.string(), card: z.string().nullable() }).nullable() });

function reachOf({ holder, note }: LeaseRecord): Reach | null {
  const gateways = readNote({ note });
  return gateways?.isConnected === true && gateways.isOnline ? { at: "there", server: holder } : null;
}

const reasons: Readonly<Record<Unanswered, string>> = {
  elsewhere: "no longer has it.",
  silent: "has not answered.",
  unsupported: "is of a version that cannot do this. Update it.",
};

function remoteGateway(
  { questions }: ReachDeps,
  server: string,
  { gateway: { name }, account: { account } }: Account,
): ReachedGateway {
  /** @throws Error for a question without an answer */
  const ask = async <S extends z.ZodType<object | boolean>>(question: AccountQuestion, schema: S) => {
    const answer = await questions.ask({ server, question, answer: schema, patience });
    if (typeof answer === "string") throw new Error(`The server that had the account ${reasons[answer]}`);
    return answer;
  };
  return {
    name,
    recall: (recall) => ask({ name: "recall", account, recall }, z.boolean()),
    react: (reaction) => ask({ name: "react", account, reaction }, reacted),
    listMembers: ({ room }) => ask({ name: "members", account, room }, members),
    findMember: async ({ room, ext }) => (await ask({ name: "member", account, room, ext }, foundMember)).member,
  };
}

export function createReaching(deps: ReachDeps): Reaching {
  const { clock, accountLeases, hasPeers, self } = deps;
  const leases = createLru<string, { readonly until: number; readonly lease: Promise<LeaseRecord | null> }>(
    remembered.max,
  );
  const leaseOf = (account: string): Promise<LeaseRecord | null> => {
    const before = leases.get(account);
    if (before !== undefined && before.until > clock.now()) return before.lease;
    const lease = findHeld(deps, account);
    leases.set(account, { until: clock.now() + remembered.ttl, lease });
    lease.catch(() => leases.delete(account));
    return lease;
  };
  const find = async (serving: Account): Promise<Reach | null> => {
    const { account } = serving.account;
    const isHeld = accountLeases.isHeld(account);
    const isHere = isOnline(serving) ? here : null;
    if (!hasPeers || isHeld === true) return isHere;
    const lease = await leaseOf(account);
    if (lease !== null && lease.holder !== self) return reachOf(lease);
    // A gateway without leases has its own connections on each server.
    return isHeld === null ? isHere : null;
  };
  return {
    find,
    async gatewayOf(account) {
      const reach = await find(account);
      if (reach === null) return null;
      return reach.at === "here" ? account.gateway : remoteGateway(deps, reach.server, account);
    },
    async isElsewhere(account) {
      const lease = hasPeers && accountLeases.isHeld(account) !== true ? await leaseOf(account) : null;
      return lease !== null && lease.holder !== self;
    },
    forget: (account) => void leases.delete(account),
  };
}
