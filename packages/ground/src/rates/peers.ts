/** Calls of one caller, or attempts, that a server has counted. */
export interface RateUse {
  /** The rate in which the calls count, by its name in the options of the limiter; `attempt` for attempts that a plug-in counts under its own key. */
  readonly policy: "token" | "address" | "attempt";
  readonly key: string;
  readonly calls: number;
}

/** The limiters of the other servers of the installation. */
export interface RatePeers {
  /** Sends them calls that were counted here. */
  publish(uses: readonly RateUse[]): void;
  /** Calls `counted` with calls that another server has counted. */
  subscribe(counted: (use: RateUse) => void): void;
}

/** The limiters of the other servers, and a function for what they publish. */
export function createRatePeers(publish: RatePeers["publish"]) {
  const subscribers: ((use: RateUse) => void)[] = [];
  const peers: RatePeers = { publish, subscribe: (counted) => void subscribers.push(counted) };
  const heard = (uses: readonly RateUse[]): void => {
    for (const use of uses) for (const counted of subscribers) counted(use);
  };
  return { peers, heard };
}
