import { randomBytes } from "node:crypto";
import { TelexError } from "@telex/core";
import type { SessionRecord } from "@telex/core/storage";
import { digestOf, generateSecret } from "../credentials/secrets.ts";
import type { Seal } from "../oauth/seal.ts";
import type { AuthDeps } from "../options.ts";
import { idAt, kind, readSubscription, type Subscription, type SubscriptionData } from "./records.ts";
import type { Subscribers } from "./subscribers.ts";

/** Subscriptions of a person. */
const most = 20;

interface SubscriptionsDeps extends Pick<AuthDeps, "telex" | "storage"> {
  readonly seal: Seal;
  readonly subscribers: Pick<Subscribers, "add" | "remove">;
}

/** The stored subscriptions. */
export interface Subscriptions {
  /** Adds a subscription, which replaces another with its endpoint, and returns its id. Throws `limit_reached`. */
  readonly add: (session: SessionRecord, data: Omit<SubscriptionData, "sessionId">) => Promise<string>;
  /** Those of a person whose sessions have not ended. Others are deleted. */
  readonly listOf: (userId: number) => Promise<readonly Subscription[]>;
  /** Ends one; false if the person has none with this id. */
  readonly end: (userId: number, id: string) => Promise<boolean>;
}

/** Keeps subscriptions as links, which end with their person and are in no export. */
export function createSubscriptions({ telex, storage, seal, subscribers }: SubscriptionsDeps): Subscriptions {
  const { accounts } = storage;
  const end = async (userId: number, id: string): Promise<boolean> =>
    (await accounts.revokeLink({ linkId: id, kind, makerId: userId, now: telex.clock.now() })) !== null;
  const listOf = async (userId: number): Promise<readonly Subscription[]> => {
    const [links, sessions] = await Promise.all([
      accounts.listLinks({ kind, makerId: userId, after: "", limit: 10 * most }),
      accounts.listSessions(userId, telex.clock.now()),
    ]);
    const alive = new Set(sessions.map(({ sessionId }) => sessionId));
    const all = links.flatMap((link) => readSubscription(link, seal) ?? []);
    const ended = all.filter(({ sessionId }) => !alive.has(sessionId));
    for (const { id } of ended) await end(userId, id);
    if (all.length === ended.length) subscribers.remove(userId);
    return all.filter(({ sessionId }) => alive.has(sessionId));
  };
  return {
    async add({ userId, sessionId, absoluteUntil }, data) {
      await listOf(userId);
      const now = telex.clock.now();
      const linkId = idAt(now) + randomBytes(12).toString("hex");
      const link = {
        linkId,
        digest: digestOf(generateSecret("link")),
        kind: "push" as const,
        makerId: userId,
        slot: `push ${digestOf(data.endpoint)}`,
        data: seal.close(JSON.stringify({ sessionId, ...data } satisfies SubscriptionData)),
        uses: 1,
        createdAt: now,
        until: absoluteUntil,
      };
      if ((await accounts.issueLink(link, most)) === "limit_reached")
        throw new TelexError("limit_reached", { params: { max: most } });
      subscribers.add(userId, data);
      return linkId;
    },
    listOf,
    end,
  };
}
