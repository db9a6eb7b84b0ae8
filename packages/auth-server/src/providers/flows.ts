import { hash } from "node:crypto";
import type { Clock } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { GrantStore } from "@telex/core/storage";
import { z } from "zod";
import { digestOf, generateSecret, isSecretShaped } from "../credentials/secrets.ts";
import type { SessionCookie } from "../requests/cookies.ts";

/** Why a person goes to a provider: to sign in, to use a link, to confirm that it is still them, or to link an identity. */
const purposes = ["enter", "join", "setup", "confirm", "link"] as const;

const flowData = z.object({
  provider: z.string(),
  purpose: z.enum(purposes),
  /** The local path to which the person goes afterwards. */
  to: z.string(),
  /** The digest of the invitation or of the set-up link. */
  link: z.string().nullable(),
  stay: z.boolean(),
  /** The session that began it; null for a person who is not signed in. */
  sessionId: z.string().nullable(),
});

/** A sign-in with a provider in progress. */
export type Flow = Readonly<z.output<typeof flowData>>;

/** The secrets that only the browser of a flow knows, and the values derived from them. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE. */
  readonly verifier: string;
}

const model = "ProviderFlow";

/** Milliseconds in which a person signs in at a provider. */
const life = 600_000;

const derive = (name: string, secret: string): string => hash("sha256", `telex ${name} ${secret}`, "base64url");

/** The cookie holds one secret; the rest is derived from it, so that the storage needs only its digest. */
const secretsOf = (secret: string): FlowSecrets => ({
  state: derive("state", secret),
  nonce: derive("nonce", secret),
  verifier: derive("verifier", secret),
});

interface FlowDeps {
  readonly grants: Pick<GrantStore, "putArtifact" | "consumeArtifact">;
  readonly clock: Clock;
  readonly cookie: SessionCookie;
}

/** Sign-ins in progress: each belongs to the browser that began it, lives 10 minutes, and is used once. */
interface Flows {
  /** Begins a flow, and ends the one that the browser had. */
  readonly begin: (flow: Flow, request: Pick<CallRequest, "setHeader">) => Promise<FlowSecrets>;
  /**
   * Consumes the flow of a browser. Of N simultaneous callers, exactly one gets it.
   * @returns null if the browser has none, or not with this provider and `state`
   */
  readonly take: (
    provider: string,
    state: string | null,
    request: Pick<CallRequest, "header">,
  ) => Promise<{ readonly flow: Flow; readonly secrets: FlowSecrets } | null>;
}

/** Keeps flows among the artifacts of sign-ins in progress. */
export const createFlows = ({ grants, clock, cookie }: FlowDeps): Flows => ({
  async begin(flow, request) {
    const secret = generateSecret("flow");
    const artifact = {
      model,
      digest: digestOf(secret),
      payload: JSON.stringify(flow),
      grantId: null,
      uid: null,
      userCodeDigest: null,
      until: clock.now() + life,
    };
    await grants.putArtifact(artifact, { limit: 1 });
    request.setHeader("set-cookie", cookie.write(secret, life / 1000));
    return secretsOf(secret);
  },
  async take(provider, state, { header }) {
    const secret = cookie.read(header("cookie"));
    if (secret === null || !isSecretShaped("flow", secret)) return null;
    const secrets = secretsOf(secret);
    if (state !== secrets.state) return null;
    const used = await grants.consumeArtifact({ model, digest: digestOf(secret), now: clock.now() });
    if (used.outcome !== "consumed") return null;
    const flow = flowData.parse(JSON.parse(used.artifact.payload));
    return flow.provider === provider ? { flow, secrets } : null;
  },
});
