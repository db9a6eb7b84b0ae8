import type { ArtifactRecord, ClientRecord, GrantRecord } from "../records/accounts.ts";

/** Names an artifact. */
export type ArtifactKey = Pick<ArtifactRecord, "model" | "digest">;

/** An artifact to store. */
export type ArtifactPut = Omit<ArtifactRecord, "claimedBy" | "consumedAt" | "successor">;

/** Conditions for storing an artifact. */
export interface ArtifactConditions {
  /** The maximum number of artifacts of a grant. Those that end first are deleted. */
  readonly limit: number;
  /**
   * The digest of a used artifact of the same model, which this one replaces. Its earlier successor is deleted if it was not
   * used. Otherwise the new one is refused with `superseded`. So only one successor stays valid. Default: none.
   */
  readonly follows?: string;
}

/** The user or the application whose grants end. */
export type GrantsKey = { readonly userId: number } | { readonly clientId: string };

/**
 * Applications, grants, and what the authorization server issues for them. Every verb is atomic among all callers of all processes; a
 * promise resolves when its change is durable. For every verb, what has expired at `now` (Unix milliseconds) does not exist.
 *
 * Artifacts without a grant belong to a sign-in in progress: they are not among the records that are moved to another storage.
 *
 * An artifact with a grant never outlives it: storing one and ending its grant exclude each other, so of the two, either the
 * artifact is refused or it is deleted. Each end of a grant reports a change of `grant` with its id.
 */
export interface GrantStore {
  /** Adds an application; false if its id is taken. */
  addClient(client: ClientRecord): Promise<boolean>;

  /** The application, or null. */
  findClient(clientId: string): Promise<ClientRecord | null>;

  /** Applications with an id above `after` (`""` for the first page), by id, at most `limit`. */
  listClients(page: { readonly after: string; readonly limit: number }): Promise<readonly ClientRecord[]>;

  /** Changes the given fields; null if there is no such application. */
  amendClient(
    clientId: string,
    change: Partial<Omit<ClientRecord, "clientId" | "createdAt">>,
  ): Promise<ClientRecord | null>;

  /** Deletes an application; false if it does not exist. Its grants are ended with `endGrants` before and afterwards. */
  dropClient(clientId: string): Promise<boolean>;

  /**
   * Stores a grant, or replaces the one with its id: then `createdAt` stays.
   *
   * @returns `limit_reached` if the user has `limit` other grants
   */
  putGrant(grant: GrantRecord, limit: number): Promise<"put" | "limit_reached">;

  /** The grant, or null. */
  findGrant(grantId: string, now: number): Promise<GrantRecord | null>;

  /** Grants of a user, by id. Their number is bounded by `putGrant`. */
  listGrants(userId: number, now: number): Promise<readonly GrantRecord[]>;

  /** Ends a grant with all its artifacts; false if it does not exist, or if `userId` is given and it is another user's. */
  endGrant(key: { readonly grantId: string; readonly userId?: number }): Promise<boolean>;

  /** Ends grants of a user or of an application with their artifacts, at most `limit`, and returns how many: call it until that is 0. */
  endGrants(key: GrantsKey, limit: number): Promise<number>;

  /**
   * Stores an artifact, or replaces the one with its key: then `claimedBy`, `consumedAt` and `successor` stay.
   *
   * @returns `grant_ended` if it names a grant that does not exist; `superseded`: see {@link ArtifactConditions}; `user_code_taken` if
   *   another artifact has its code
   */
  putArtifact(
    artifact: ArtifactPut,
    conditions: ArtifactConditions,
  ): Promise<"put" | "grant_ended" | "superseded" | "user_code_taken">;

  /** The artifact, or null. */
  findArtifact(
    key: ArtifactKey | (Pick<ArtifactKey, "model"> & { readonly uid: string }),
    now: number,
  ): Promise<ArtifactRecord | null>;

  /** The artifact with this user code, or null. Looks up only: any number of sessions may do it. */
  findUserCode(userCodeDigest: string, now: number): Promise<ArtifactRecord | null>;

  /**
   * Assigns the artifact with this user code to a session, and returns it; null if no artifact has the code, it is used, or another session
   * has it. Of N simultaneous sessions, exactly one MUST get it.
   */
  claimUserCode(claim: {
    readonly userCodeDigest: string;
    readonly by: string;
    readonly now: number;
  }): Promise<ArtifactRecord | null>;

  /**
   * Marks an artifact as used. Of N simultaneous callers, exactly one MUST get `consumed`; the others get `used` with the record, whose
   * `consumedAt` does not change.
   */
  consumeArtifact(
    key: ArtifactKey & { readonly now: number },
  ): Promise<
    { readonly outcome: "consumed" | "used"; readonly artifact: ArtifactRecord } | { readonly outcome: "missing" }
  >;

  /** Deletes an artifact; false if it does not exist. */
  dropArtifact(key: ArtifactKey): Promise<boolean>;

  /** Deletes grants and artifacts that have expired, at most `limit` of each, and returns how many. */
  sweepGrants(page: { readonly now: number; readonly limit: number }): Promise<number>;
}
