import type { Clock, GatewayLease, GatewayReport } from "@telex/core";

/** The state of an account and its reason, as the operator sees them. */
export interface Standing {
  /** The reason why the account is offline; null if there is no fault. */
  readonly problem: GatewayReport["problem"];
  /** Called when something has changed. An account that is online has no problem. */
  changed(): void;
  /** Called when something went wrong. */
  failed(code: string, text: string): void;
}

/** The current state of the connection. */
type Now = Omit<GatewayReport, "problem">;

export function createStanding(clock: Clock, lease: () => GatewayLease | null, now: () => Now): Standing {
  let problem: GatewayReport["problem"] = null;
  const report = (): void => {
    const state = now();
    if (state.isConnected && state.isOnline) problem = null;
    lease()?.report({ ...state, problem });
  };
  return {
    get problem() {
      return problem;
    },
    changed: report,
    failed(code, text) {
      // The operator wants to know when the problem began.
      if (problem?.code !== code || problem.text !== text) problem = { code, text, at: clock.now() };
      report();
    },
  };
}
