/** The holder of work that only one server of an installation may do, and the end of its time. */
export interface LeaseRecord {
  /** The name of the work, such as `bot/10001`; 1 to 128 characters. */
  readonly name: string;
  /** The last holder: the name of a server, and a random word after a slash. */
  readonly holder: string;
  /** Increases each time that the lease is taken. A holder whose number is older has lost it. */
  readonly fence: number;
  /** Unix milliseconds. From then on it is free; 0 if its holder has released it. */
  readonly until: number;
  /** A note of the holder on its work, up to 8,192 characters. It stays when the lease ends. */
  readonly note: string;
}

/** Work that is done once until a time. It cannot be given back. */
export interface Claim {
  /** 1 to 128 characters. Claims and leases do not share names. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds at which the name becomes free. */
  readonly until: number;
}

/** Names a lease as its holder has it. */
export type LeaseKey = Pick<LeaseRecord, "name" | "fence">;

/**
 * Leases. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. They belong to
 * running servers: they are not among the records that are moved to another storage. A storage that knows that no other server
 * works on it ends all leases when it is opened.
 */
export interface LeaseStore {
  /**
   * Takes a lease that is free, or that still has the number `over`, and reports a change of `lease`. Of N simultaneous callers exactly one gets it. Null if another one has
   * it, which may be the caller itself.
   */
  takeLease(
    lease: Omit<LeaseRecord, "fence"> & {
      /** Unix milliseconds. */
      readonly now: number;
      /** The number of the lease that is taken although it has not ended: its holder is gone. Default: none. */
      readonly over?: number | undefined;
    },
  ): Promise<LeaseRecord | null>;

  /** Moves the end of a lease, and changes its note. False if it was released, or taken by another holder: then nothing changes. */
  touchLease(lease: Omit<LeaseRecord, "holder">): Promise<boolean>;

  /**
   * Ends a lease now, changes its note, and reports a change of `lease`. False if it was released before, or taken by another holder: then
   * nothing changes.
   */
  releaseLease(lease: LeaseKey & Pick<LeaseRecord, "note">): Promise<boolean>;

  /**
   * Claims a name until `until`, so that one caller does the work. Of N simultaneous callers exactly one gets true; until its end, all others get
   * false. A claim that has ended is forgotten. No change is reported.
   */
  claim(claim: Claim): Promise<boolean>;

  /** The leases whose names begin with `prefix`, by name, those that have ended included. */
  listLeases(prefix: string): Promise<readonly LeaseRecord[]>;
}
