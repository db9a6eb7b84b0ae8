import { networkOf } from "./network.ts";
import { type AttemptDeps, createAttemptWindow } from "./window.ts";

const minute = 60_000;

/** A password that is shown for a name. */
interface Guess {
  /** The compared form of the username, or the text itself if it is not a username. */
  readonly name: string;
  /** The address of the caller; null if it is unknown. */
  readonly address: string | null;
  /** True if the account has signed in from this browser or network before. Such callers are stopped by their own mistakes only. */
  readonly isKnown: () => boolean;
}

/** Stops callers who guess passwords. */
export interface Guesses {
  /**
   * Counts a guess before it is checked, so that simultaneous ones count as well.
   * @returns takes the count back, for a correct password
   * @throws TelexError `rate_limited`, also for a name without an account
   */
  readonly begin: (guess: Guess) => () => void;
}

/** Counts wrong passwords on all servers: of a name from a network, of a name, and of all names. This cannot be switched off. */
export function createGuesses(deps: AttemptDeps): Guesses {
  const fromNetwork = createAttemptWindow(deps, { shared: "network", most: 10, time: 15 * minute });
  const ofName = createAttemptWindow(deps, { shared: "name", most: 30, time: 60 * minute });
  const ofServer = createAttemptWindow(deps, { shared: "all", most: 1000, time: 15 * minute });
  return {
    begin({ name, address, isKnown }) {
      const network = `${networkOf(address)} ${name}`;
      const counted = [[fromNetwork, network] as const, [ofName, name] as const, [ofServer, ""] as const];
      const [full] = counted.filter(([window, key]) => window.isFull(key));
      if (full !== undefined && (full[0] === fromNetwork || !isKnown())) throw full[0].refusal(full[1]);
      // Counted only now: refused names must not push out those that are remembered.
      const add = (attempts: number): void => counted.forEach(([window, key]) => window.add(key, attempts));
      add(1);
      return () => add(-1);
    },
  };
}
