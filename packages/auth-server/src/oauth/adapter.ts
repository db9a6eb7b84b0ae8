import { hash } from "node:crypto";
import { type Clock, TelexError } from "@telex/core";
import type { ArtifactRecord, GrantStore } from "@telex/core/storage";
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import {
  ExpiredToken,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  TemporarilyUnavailable,
} from "oidc-provider/lib/helpers/errors.js";
import { digestOf } from "../credentials/secrets.ts";
import { ClientDocumentError } from "./clients/documents.ts";
import type { Clients } from "./clients/clients.ts";
import { digestOfUserCode, readAnonymous, readPayload, rewritePayload, writePayload } from "./payloads.ts";
import type { RequestStates } from "./request-state.ts";

export interface AdapterDeps {
  readonly grants: GrantStore;
  readonly clients: Pick<Clients, "metadataOf" | "hasDocuments">;
  readonly clock: Clock;
  readonly states: RequestStates;
  /** Seconds after its use in which a refresh token works again, if its successor was not used. */
  readonly refreshGrace: number;
}

/** Maximum tokens of one grant. Those that end first make room for others. */
const mostOfGrant = 50;

/** Maximum applications that a person has agreed to, counted by sign-ins. The oldest one makes room for another one. */
const mostGrants = 200;

const untilOf = ({ clock }: AdapterDeps, expiresIn: number | undefined): number =>
  clock.now() + (expiresIn ?? 0) * 1000;

const nothing = async (): Promise<void> => await Promise.resolve();
const nowhere = async (): Promise<undefined> => await Promise.resolve(undefined);

/** Verbs that a model does not have. */
const unused: Adapter = {
  upsert: nothing,
  find: nowhere,
  findByUserCode: nowhere,
  findByUid: nowhere,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** The error of a request if the document of its application cannot be used. */
function refusalOf(error: unknown): unknown {
  if (TelexError.is(error)) return new TemporarilyUnavailable("too many documents about applications are read");
  if (!(error instanceof ClientDocumentError)) return error;
  return error.isTemporary ? new TemporarilyUnavailable(error.message) : new InvalidClient(error.message);
}

const clientAdapter = ({ clients }: AdapterDeps): Adapter => ({
  ...unused,
  async find(id) {
    try {
      return (await clients.metadataOf(id)) ?? undefined;
    } catch (error) {
      throw refusalOf(error);
    }
  },
});

/** Sessions are those of Telex: a person who is signed in to its pages is signed in for the provider, which therefore stores none. */
const sessionAdapter = ({ states }: AdapterDeps): Adapter => ({
  ...unused,
  async find(id) {
    const current = states.getStore()?.current ?? null;
    if (current === null) return await nowhere();
    const { session } = current;
    const seconds = (time: number): number => Math.floor(time / 1000);
    return {
      jti: id,
      kind: "Session",
      uid: hash("sha256", `oauth ${session.sessionId}`, "base64url"),
      accountId: String(session.userId),
      loginTs: seconds(session.confirmedAt),
      iat: seconds(session.createdAt),
      exp: seconds(session.absoluteUntil),
    };
  },
});

function grantAdapter(deps: AdapterDeps): Adapter {
  const { grants, clock } = deps;
  const dropOldest = async (userId: number): Promise<void> => {
    const all = await grants.listGrants(userId, clock.now());
    const [oldest] = all.toSorted((a, b) => a.createdAt - b.createdAt);
    if (oldest !== undefined) await grants.endGrant(oldest);
  };
  return {
    ...unused,
    async upsert(id, payload, expiresIn) {
      const { accountId, clientId = "" } = payload;
      const grant = {
        grantId: digestOf(id),
        userId: Number(accountId),
        clientId,
        // With its id, which opens nothing: no request names a grant.
        payload: rewritePayload(payload),
        createdAt: clock.now(),
        until: untilOf(deps, expiresIn),
      };
      if ((await grants.putGrant(grant, mostGrants)) === "put") return;
      await dropOldest(grant.userId);
      if ((await grants.putGrant(grant, mostGrants)) !== "put") throw new TemporarilyUnavailable();
    },
    async find(id) {
      const grant = await grants.findGrant(digestOf(id), clock.now());
      return grant === null ? undefined : readAnonymous(grant.payload);
    },
    async destroy(id) {
      await grants.endGrant({ grantId: digestOf(id) });
    },
  };
}

/** True for a refresh token that was used so recently that its client may not have got the response. */
const isInGrace = ({ clock, refreshGrace }: AdapterDeps, { model, consumedAt }: ArtifactRecord): boolean =>
  model === "RefreshToken" && consumedAt !== null && clock.now() - consumedAt < refreshGrace * 1000;

function readArtifact(deps: AdapterDeps, id: string, artifact: ArtifactRecord | null): AdapterPayload | undefined {
  if (artifact === null) return undefined;
  const { consumedAt, model } = artifact;
  const payload = readPayload(id, artifact.payload);
  // A program that polls again, because it got no response, must not lose its tokens.
  const isUsed = consumedAt !== null && model !== "DeviceCode" && !isInGrace(deps, artifact);
  return { ...payload, ...(isUsed && { consumed: Math.floor(consumedAt / 1000) }) };
}

/** Ends the grant of a code or token that was used twice. */
async function endFamily({ grants }: AdapterDeps, { grantId }: Pick<ArtifactRecord, "grantId">): Promise<never> {
  if (grantId !== null) await grants.endGrant({ grantId });
  throw new InvalidGrant("already used");
}

/** Uses up a code or token: of N simultaneous requests, one continues. */
async function consume(deps: AdapterDeps, model: string, id: string): Promise<void> {
  const digest = digestOf(id);
  const used = await deps.grants.consumeArtifact({ model, digest, now: deps.clock.now() });
  if (used.outcome === "missing") throw new InvalidGrant("the grant has ended");
  if (used.outcome === "used" && !isInGrace(deps, used.artifact)) {
    // A program that polls twice has not given its code away.
    if (model === "DeviceCode") throw new InvalidGrant("already used");
    return await endFamily(deps, used.artifact);
  }
  const state = deps.states.getStore();
  if (model !== "DeviceCode" && state !== undefined) state.used = { model, digest };
}

/** Kinds of artifacts that requests of strangers store. */
const waiting: ReadonlySet<string> = new Set(["Interaction", "DeviceCode"]);

/** Characters of a stored artifact: applications choose most of it, such as `state` and `nonce`. */
const longest = 10_000;

/** Counts an artifact that a stranger has stored. Artifacts that Telex stores without a request, such as answers, do not count. */
function countWaiting({ states }: AdapterDeps, model: string): void {
  if (!waiting.has(model)) return;
  try {
    states.getStore()?.wait();
  } catch (error) {
    throw TelexError.is(error) ? new TemporarilyUnavailable("too many requests wait for an answer") : error;
  }
}

function artifactAdapter(deps: AdapterDeps, model: string): Adapter {
  const { grants, clock, states } = deps;
  return {
    async upsert(id, payload, expiresIn) {
      const { grantId, userCode } = payload;
      const used = states.getStore()?.used ?? null;
      const follows = model === "RefreshToken" && used?.model === model ? used.digest : null;
      const artifact = {
        model,
        digest: digestOf(id),
        payload: writePayload(id, payload),
        grantId: grantId === undefined ? null : digestOf(grantId),
        uid: null,
        userCodeDigest: typeof userCode === "string" ? digestOfUserCode(userCode) : null,
        until: untilOf(deps, expiresIn),
      };
      if (artifact.payload.length > longest) throw new InvalidRequest("the request is too long");
      countWaiting(deps, model);
      const conditions = { limit: mostOfGrant, ...(follows !== null && { follows }) };
      const outcome = await grants.putArtifact(artifact, conditions);
      if (outcome === "superseded") await endFamily(deps, artifact);
      // The first user of a code or refresh token gets the same error as if the second use, which ends the family, came after the response.
      if (outcome === "grant_ended" && used === null) throw new InvalidGrant("the grant has ended");
      if (outcome === "user_code_taken") throw new TemporarilyUnavailable();
    },
    async find(id) {
      const artifact = await grants.findArtifact({ model, digest: digestOf(id) }, clock.now());
      // RFC 8628 3.5: the program then shows a new code. The values are too long to be guessed, so a missing one has ended.
      if (artifact === null && model === "DeviceCode") throw new ExpiredToken("the device code has ended");
      return readArtifact(deps, id, artifact);
    },
    // Telex also looks up user codes and sessions without a request.
    findByUserCode: nowhere,
    findByUid: nowhere,
    consume: async (id) => await consume(deps, model, id),
    async destroy(id) {
      await grants.dropArtifact({ model, digest: digestOf(id) });
    },
    async revokeByGrantId(grantId) {
      await grants.endGrant({ grantId: digestOf(grantId) });
    },
  };
}

/** Stores what the provider issues in the stores of Telex: digests instead of values, and one winner for each use. */
export const createAdapterFactory =
  (deps: AdapterDeps): AdapterFactory =>
  (model) => {
    if (model === "Client") return clientAdapter(deps);
    if (model === "Session") return sessionAdapter(deps);
    return model === "Grant" ? grantAdapter(deps) : artifactAdapter(deps, model);
  };
