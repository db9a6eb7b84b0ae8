/** A lease of work that only one server of an installation may do. */
export interface LeaseRecord {
  /** The name of the work, such as `bot/10001`; 1 to 128 characters. */
  readonly name: string;
  /** The last holder: the name of a server, a slash, and a random string. */
  readonly holder: string;
  /** Increases each time the lease is taken. A holder with an older number has lost the lease. */
  readonly fence: number;
  /** Unix milliseconds at which the lease becomes free; 0 if its holder has released it. */
  readonly until: number;
  /** A note of the holder about its work, up to 8,192 characters. It stays when the lease ends. */
  readonly note: string;
}

/** Work that is done only once until a given time. A claim cannot be released. */
export interface Claim {
  /** 1 to 128 characters. Claims and leases do not share names. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds at which the name becomes free. */
  readonly until: number;
}

/** Identifies a lease of one holder. */
export type LeaseKey = Pick<LeaseRecord, "name" | "fence">;

/**
 * Leases. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. Leases belong to
 * running servers, so they are not among the records that are copied to another storage. A storage that knows that no other server
 * uses it ends all leases when it is opened.
 */
export interface LeaseStore {
  /**
   * Takes a lease that is free, or that still has the number `over`, and reports a change of `lease`. Of N simultaneous callers, exactly one
   * gets it. Null if the lease is held, perhaps by the caller itself.
   */
  takeLease(
    lease: Omit<LeaseRecord, "fence"> & {
      /** Unix milliseconds. */
      readonly now: number;
      /** The number of a lease to be taken although it has not ended, because its holder is gone. Default: none. */
      readonly over?: number | undefined;
    },
  ): Promise<LeaseRecord | null>;

  /** Moves the end of a lease, and changes its note. False, and nothing changes, if it was released or taken by another holder. */
  touchLease(lease: Omit<LeaseRecord, "holder">): Promise<boolean>;

  /**
   * Ends a lease now, changes its note, and reports a change of `lease`. False, and nothing changes, if it was already released or taken by
   * another holder.
   */
  releaseLease(lease: LeaseKey & Pick<LeaseRecord, "note">): Promise<boolean>;

  /**
   * Claims a name until `until`, so that one caller does the work. Of N simultaneous callers, exactly one gets true; all others get false until
   * the claim ends. An ended claim is removed. No change is reported.
   */
  claim(claim: Claim): Promise<boolean>;

  /** The leases whose names begin with `prefix`, by name, including ended ones. */
  listLeases(prefix: string): Promise<readonly LeaseRecord[]>;
}
