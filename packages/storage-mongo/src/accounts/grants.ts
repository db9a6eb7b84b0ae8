import type { ClientRecord, GrantRecord, GrantStore } from "@telex/core/storage";
import { asPrimary, collectionOf, feedRoot, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";
import type { StoreDeps } from "../stores/deps.ts";
import { touchRoot } from "../stores/quotas.ts";
import { createArtifactVerbs, sweepArtifacts } from "./artifacts.ts";
import { endGrant, endGrantsOf } from "./grant-documents.ts";

/** The root of the grants of a user. */
const userRoot = (userId: number): string => `grants/${userId}`;

async function put(tx: Tx, grant: GrantRecord, limit: number): Promise<"put" | "limit_reached"> {
  const { grantId, userId } = grant;
  await touchRoot(tx, userRoot(userId));
  const others = await tx.list("grants", { userId, _id: { $ne: grantId } }, { limit });
  if (others.length >= limit) return "limit_reached";
  const before = await tx.find("grants", grantId);
  const createdAt = before?.createdAt ?? grant.createdAt;
  tx.put("grants", { ...plain("grants", { ...grant, createdAt }), turn: (before?.turn ?? 0) + 1 });
  return "put";
}

async function endOne(tx: Tx, { grantId, userId }: Parameters<GrantStore["endGrant"]>[0]): Promise<boolean> {
  const grant = await tx.find("grants", grantId);
  if (grant === null || (userId ?? grant.userId) !== grant.userId) return false;
  await endGrant(tx, grantId);
  return true;
}

async function sweepGrants(tx: Tx, now: number, limit: number): Promise<number> {
  const ended = await tx.list("grants", { until: { $lte: now } }, { limit });
  for (const { grantId } of ended) await endGrant(tx, grantId);
  return ended.length;
}

type ClientVerbs = Pick<GrantStore, "addClient" | "findClient" | "listClients" | "amendClient" | "dropClient">;

function createClientVerbs({ db, batches }: StoreDeps): ClientVerbs {
  const clients = collectionOf(db, "clients");
  const { write, single } = batches;
  const amend = async (
    tx: Tx,
    clientId: string,
    change: Parameters<GrantStore["amendClient"]>[1],
  ): Promise<ClientRecord | null> => {
    const before = await tx.find("clients", clientId);
    if (before === null) return null;
    const client = { ...before, ...change };
    tx.put("clients", client);
    return recordOf("clients", client);
  };
  return {
    addClient(client) {
      const own = structuredClone(client);
      return write("clients", async (tx) => {
        if ((await tx.find("clients", own.clientId)) !== null) return false;
        tx.add("clients", plain("clients", own));
        return true;
      });
    },
    findClient: (clientId) => single(async () => recordOrNull("clients", await clients.findOne({ _id: clientId }))),
    listClients: ({ after, limit }) =>
      single(async () =>
        recordsOf("clients", await clients.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray()),
      ),
    amendClient(clientId, change) {
      const own = structuredClone(change);
      return write("clients", (tx) => amend(tx, clientId, own));
    },
    dropClient: (clientId) =>
      write("clients", async (tx) => {
        if ((await tx.find("clients", clientId)) === null) return false;
        tx.drop("clients", clientId);
        return true;
      }),
  };
}

/** Applications and grants. */
export function createGrantStore(deps: StoreDeps): GrantStore {
  const { db, batches } = deps;
  const { write, single } = batches;
  const grants = collectionOf(db, "grants");
  return {
    ...createClientVerbs(deps),
    ...createArtifactVerbs(deps),
    putGrant: ({ ...grant }, limit) => write(`grant ${grant.grantId}`, (tx) => put(tx, grant, limit)),
    // An ended grant must not be found.
    findGrant: (grantId, now) =>
      single(async () => {
        const grant = await grants.findOne({ _id: grantId }, asPrimary);
        return grant !== null && grant.until > now ? recordOf("grants", grant) : null;
      }),
    listGrants: (userId, now) =>
      single(async () =>
        recordsOf("grants", await grants.find({ userId, until: { $gt: now } }, { sort: { _id: 1 } }).toArray()),
      ),
    endGrant: ({ ...key }) => write(feedRoot, (tx) => endOne(tx, key)),
    endGrants: ({ ...key }, limit) => write(feedRoot, (tx) => endGrantsOf(tx, key, limit)),
    sweepGrants: async ({ now, limit }) => {
      const swept = await write(feedRoot, (tx) => sweepGrants(tx, now, limit));
      return swept + (await single(() => sweepArtifacts(db, now, limit)));
    },
  };
}
