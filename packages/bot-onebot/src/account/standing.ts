import type { Clock, GatewayLease, GatewayReport } from "@telex/core";

/** How an account is, and why: what the operator sees. */
export interface Standing {
  /** The reason why the account is offline; null if there is no fault. */
  readonly problem: GatewayReport["problem"];
  /** Something has changed. Who is online has no problem any more. */
  changed(): void;
  /** Something went wrong. */
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
      // When it began is what the operator wants to know.
      if (problem?.code !== code || problem.text !== text) problem = { code, text, at: clock.now() };
      report();
    },
  };
}
