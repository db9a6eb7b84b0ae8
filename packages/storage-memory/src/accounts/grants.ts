import type { ArtifactRecord, ClientRecord, GrantRecord, GrantsKey, GrantStore } from "@telex/core/storage";
import { createArtifacts, createArtifactVerbs, type Artifacts } from "./artifacts.ts";
import type { Report } from "../stores/changes.ts";
import type { Verb } from "../engine/gate.ts";
import type { Kept } from "../engine/tables.ts";

/** All grants. Only used within a step. */
export interface Grants {
  readonly find: (grantId: string) => GrantRecord | null;
  readonly where: (key: GrantsKey) => GrantRecord[];
  readonly keep: (grant: GrantRecord) => void;
  readonly all: () => Iterable<GrantRecord>;
  /** Ends a grant with its artifacts, and reports it. */
  readonly end: (grantId: string) => void;
  readonly sweep: (now: number, limit: number) => number;
}

function createGrants(artifacts: Artifacts, report: Report): Grants {
  const grants = new Map<string, GrantRecord>();
  const end = (grantId: string): void => {
    if (!grants.delete(grantId)) return;
    artifacts.dropOf(grantId);
    report("grant", grantId);
  };
  return {
    find: (grantId) => grants.get(grantId) ?? null,
    where: (key) =>
      [...grants.values()]
        .filter((one) => ("userId" in key ? one.userId === key.userId : one.clientId === key.clientId))
        .toSorted((a, b) => (a.grantId < b.grantId ? -1 : 1)),
    keep: (grant) => void grants.set(grant.grantId, { ...grant }),
    all: () => grants.values(),
    end,
    sweep(now, limit) {
      const ended = [...grants.values()].filter(({ until }) => until <= now).slice(0, limit);
      for (const { grantId } of ended) end(grantId);
      return ended.length;
    },
  };
}

const createGrantVerbs = (verb: Verb, grants: Grants) => ({
  putGrant: verb((grant: GrantRecord, limit: number) => {
    const others = grants.where(grant).filter(({ grantId }) => grantId !== grant.grantId);
    if (others.length >= limit) return "limit_reached";
    grants.keep({ ...grant, createdAt: grants.find(grant.grantId)?.createdAt ?? grant.createdAt });
    return "put";
  }),
  findGrant: verb((grantId: string, now: number) => {
    const grant = grants.find(grantId);
    return grant !== null && grant.until > now ? grant : null;
  }),
  listGrants: verb((userId: number, now: number) => grants.where({ userId }).filter(({ until }) => until > now)),
  endGrant: verb(({ grantId, userId }: { readonly grantId: string; readonly userId?: number }) => {
    const grant = grants.find(grantId);
    if (grant === null || (userId ?? grant.userId) !== grant.userId) return false;
    grants.end(grantId);
    return true;
  }),
  endGrants: verb((key: GrantsKey, limit: number) => {
    const ended = grants.where(key).slice(0, limit);
    for (const { grantId } of ended) grants.end(grantId);
    return ended.length;
  }),
});

const ownClient = (client: ClientRecord): ClientRecord => structuredClone(client);

const createClientVerbs = (verb: Verb, clients: Map<string, ClientRecord>) => ({
  addClient: verb((client: ClientRecord) => {
    if (clients.has(client.clientId)) return false;
    clients.set(client.clientId, ownClient(client));
    return true;
  }),
  findClient: verb((clientId: string) => clients.get(clientId) ?? null),
  listClients: verb(({ after, limit }: { readonly after: string; readonly limit: number }) =>
    [...clients.values()]
      .filter(({ clientId }) => clientId > after)
      .toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))
      .slice(0, limit),
  ),
  amendClient: verb((clientId: string, change: Partial<ClientRecord>) => {
    const before = clients.get(clientId);
    if (before === undefined) return null;
    const client = ownClient({ ...before, ...change });
    clients.set(clientId, client);
    return client;
  }),
  dropClient: verb((clientId: string) => clients.delete(clientId)),
});

/** Applications and grants in memory. */
export function createGrantStore(
  verb: Verb,
  report: Report,
): Kept<GrantStore, "clients" | "grants" | "artifacts"> & { readonly grants: Grants } {
  const clients = new Map<string, ClientRecord>();
  const artifacts = createArtifacts();
  const grants = createGrants(artifacts, report);
  return {
    grants,
    store: {
      ...createClientVerbs(verb, clients),
      ...createGrantVerbs(verb, grants),
      ...createArtifactVerbs(verb, artifacts, (grantId) => grants.find(grantId) !== null),
      sweepGrants: verb(
        ({ now, limit }: Parameters<GrantStore["sweepGrants"]>[0]) =>
          grants.sweep(now, limit) + artifacts.sweep(now, limit),
      ),
    },
    tables: {
      clients: {
        all: () => clients.values(),
        put: (client: ClientRecord) => void clients.set(client.clientId, ownClient(client)),
      },
      grants: { all: grants.all, put: grants.keep },
      artifacts: {
        all: () => [...artifacts.all()].filter(({ grantId }) => grantId !== null),
        put: (artifact: ArtifactRecord) => void artifacts.keep({ ...artifact }),
      },
    },
  };
}
