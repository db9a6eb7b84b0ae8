import type { LeaseHooks } from "@telex/ground/leases";

/** The state of an account, reported by its gateway. The operator sees it on every server, also after this server has ended. */
export interface GatewayReport {
  /** True while a connection to the network, or to the program in its place, takes messages. */
  readonly isConnected: boolean;
  /** True while the network says that the account is signed in. */
  readonly isOnline: boolean;
  /** The account's ID in the network; null if that is not known. */
  readonly ext: string | null;
  /** The version of the protocol that the connection has shown, such as `11`; null without one. */
  readonly version: string | null;
  /** The program at the other end and its version, as it says; null if it does not. */
  readonly implementation: string | null;
  /** The reason why the account is offline, and its time; null without a fault. */
  readonly problem: GatewayProblem | null;
}

/** Why an account is not online. */
interface GatewayProblem {
  /** A word for programs, such as `connect_failed`. */
  readonly code: string;
  /** A sentence in English, at most 500 characters, without secrets. */
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The right of this server to have the connections of an account. One server of the installation has it at a time. */
export interface GatewayLease {
  /** True while this server may have connections of the account. */
  readonly isHeld: boolean;
  /**
   * Takes it if no other server has it. Takes it from another server unless that answers that its connection of the account is alive; a
   * server that is silent for 5 s is gone. Resolves with true if this server has it. Rejects if the storage fails.
   */
  take(): Promise<boolean>;
  /** Takes the account each time it is free, until it is released. */
  keep(): void;
  /** Reports the current state of the account. Without the lease, the report is dropped. */
  report(report: GatewayReport): void;
  /** Releases it. Never rejects. */
  release(): Promise<void>;
}

/** Called when a {@link GatewayLease} changes. `lost`: the gateway MUST end the connections of the account immediately. */
export interface GatewayLeaseHooks extends LeaseHooks {
  /**
   * Another server has a connection of the account and wants the lease: true if one of this server is alive. Without an answer within
   * 5 s it counts as dead. Left out by a gateway whose lease ends with its connection.
   */
  readonly isAlive?: () => Promise<boolean>;
}

/** Gives a gateway the {@link GatewayLease} of its accounts. */
export interface GatewayLeases {
  /** The last one that was opened for an account counts. */
  open(account: string, hooks: GatewayLeaseHooks): GatewayLease;
}
