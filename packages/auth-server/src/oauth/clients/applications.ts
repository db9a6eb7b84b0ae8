import { type Telex, TelexError } from "@telex/core";
import type { GrantStore } from "@telex/core/storage";
import type { Clients } from "./clients.ts";
import { readAnonymous } from "../payloads.ts";
import { type OAuthScope, scopesOf } from "../scopes.ts";

/** An application, and what a person has granted to it. */
interface ConnectedApplication {
  readonly id: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly OAuthScope[];
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds. */
  readonly until: number;
}

interface ApplicationsDeps {
  readonly telex: Pick<Telex, "clock" | "security">;
  readonly grants: GrantStore;
  readonly clients: Pick<Clients, "nameOf">;
}

function scopesIn(payload: string): readonly OAuthScope[] {
  const { openid } = readAnonymous(payload);
  return typeof openid === "object" && openid !== null ? scopesOf(Reflect.get(openid, "scope")) : [];
}

/** The applications to which a person has granted something. */
export const createApplications = ({ telex, grants, clients }: ApplicationsDeps) => ({
  async list(userId: number): Promise<readonly ConnectedApplication[]> {
    const all = await grants.listGrants(userId, telex.clock.now());
    const newest = all.toSorted((a, b) => b.createdAt - a.createdAt);
    return await Promise.all(
      newest.map(async ({ grantId, clientId, payload, createdAt, until }) => {
        const scopes = scopesIn(payload);
        return {
          id: grantId,
          client: { id: clientId, name: await clients.nameOf(clientId) },
          scopes,
          createdAt,
          until,
        };
      }),
    );
  },
  /** The name of the application that holds a grant, or null. */
  async nameOf(userId: number, grantId: string): Promise<string | null> {
    const grant = (await grants.listGrants(userId, telex.clock.now())).find((one) => one.grantId === grantId);
    return grant === undefined ? null : await clients.nameOf(grant.clientId);
  },
  /** Ends what was granted, with all its tokens. Throws `not_found`. */
  async end(userId: number, id: string): Promise<void> {
    if (!(await grants.endGrant({ grantId: id, userId }))) throw new TelexError("not_found");
    telex.security.note("grant.ended", { userId, grantId: id });
  },
});

/** See {@link createApplications}. */
export type Applications = ReturnType<typeof createApplications>;
