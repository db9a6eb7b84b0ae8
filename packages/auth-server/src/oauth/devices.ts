import { type Telex, TelexError } from "@telex/core";
import type { ArtifactRecord, GrantStore } from "@telex/core/storage";
import type { AdapterPayload } from "oidc-provider";
import type { Current } from "../sessions/sessions.ts";
import { type AttemptDeps, countIn, createAttemptWindow } from "../throttle/window.ts";
import { digestOf } from "../credentials/secrets.ts";
import type { Clients } from "./clients/clients.ts";
import { digestOfUserCode, readAnonymous, rewritePayload } from "./payloads.ts";
import { makeGrant } from "./make-grant.ts";
import type { Providing } from "./provider.ts";
import { grantableScopes, type OAuthScope } from "./scopes.ts";

/** A program that shows a code. */
export interface DeviceRequest {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly OAuthScope[];
}

interface DevicesDeps {
  readonly telex: Pick<Telex, "clock" | "ratePeers" | "security">;
  readonly grants: GrantStore;
  readonly clients: Pick<Clients, "find">;
  readonly providing: Providing;
}

interface Found extends DeviceRequest {
  readonly artifact: ArtifactRecord;
  readonly payload: AdapterPayload;
}

/** Counts lookups of user codes on all servers: few people type more than one in a minute. The limit cannot be switched off. */
function createThrottle(telex: AttemptDeps) {
  const ofUser = createAttemptWindow(telex, { shared: "codeOfUser", most: 5, time: 60_000 });
  const ofServer = createAttemptWindow(telex, { shared: "code", most: 300, time: 60_000 });
  return (userId: number): void => countIn([ofUser, String(userId)], [ofServer, ""]);
}

const denial: AdapterPayload = { error: "access_denied", errorDescription: "The person refused." };

/** Codes that programs show, and that people type into a browser in which they are signed in (RFC 8628). */
export function createDevices({ telex, grants, clients, providing }: DevicesDeps) {
  const { clock } = telex;
  const throttle = createThrottle(telex);
  const read = async (artifact: ArtifactRecord | null): Promise<Found> => {
    const payload = artifact === null ? {} : readAnonymous(artifact.payload);
    const client = await clients.find(payload.clientId ?? "");
    if (artifact === null || client === null) throw new TelexError("not_found");
    const scopes = grantableScopes(payload.params?.["scope"] ?? "chat", client.scopes);
    return { client: { id: client.clientId, name: client.name }, scopes, artifact, payload };
  };
  /** The answer uses the code up. */
  const allow = async (match: Found, { account: { userId }, session }: Current): Promise<AdapterPayload> => {
    const resource = match.payload.params?.["resource"];
    return {
      accountId: String(userId),
      grantId: await grant(match, userId),
      scope: match.scopes.join(" "),
      ...(typeof resource === "string" && { resource }),
      authTime: Math.floor(session.confirmedAt / 1000),
    };
  };
  const settle = async ({ artifact, payload }: Found, answer: AdapterPayload): Promise<void> => {
    const { claimedBy: _by, consumedAt: _at, successor: _next, ...stored } = artifact;
    const { grantId } = answer;
    const outcome = await grants.putArtifact(
      {
        ...stored,
        payload: rewritePayload({ ...payload, ...answer }),
        grantId: grantId === undefined ? null : digestOf(grantId),
        userCodeDigest: null,
      },
      { limit: 50 },
    );
    if (outcome !== "put") throw new TelexError("not_found");
  };
  const grant = async ({ client, scopes, artifact }: Found, userId: number): Promise<string> => {
    const wish = { question: artifact.digest, userId, clientId: client.id, scopes };
    return await makeGrant(telex, await providing.provider(), wish);
  };
  return {
    /**
     * Looks a code up, and assigns it to the session that did so first: another one cannot answer it.
     * @throws TelexError `not_found`, `rate_limited`
     */
    async look(code: string, { account, session }: Current): Promise<DeviceRequest> {
      throttle(account.userId);
      const claim = { userCodeDigest: digestOfUserCode(code), by: session.sessionId, now: clock.now() };
      const { client, scopes } = await read(await grants.claimUserCode(claim));
      return { client, scopes };
    },
    /**
     * Answers a code that the same session has looked up.
     * @throws TelexError `not_found`, `rate_limited`
     */
    async answer(code: string, { account, session }: Current, isAllowed: boolean): Promise<DeviceRequest> {
      throttle(account.userId);
      const artifact = await grants.findUserCode(digestOfUserCode(code), clock.now());
      const match = await read(artifact?.claimedBy === session.sessionId ? artifact : null);
      await settle(match, isAllowed ? await allow(match, { account, session }) : denial);
      return { client: match.client, scopes: match.scopes };
    },
  };
}

/** See {@link createDevices}. */
export type Devices = ReturnType<typeof createDevices>;
