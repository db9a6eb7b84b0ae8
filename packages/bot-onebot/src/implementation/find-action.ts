import { shortText } from "@telex/core/contract";
import type { Run } from "./actions/action.ts";
import type { Actor } from "./context.ts";
import { ActionError } from "./results.ts";
import { tongues } from "./tongues.ts";

/** No action has a longer name. */
export const actionName = shortText(128);

const suffixes = /_(async|rate_limited)$/;

interface Found {
  readonly run: Run;
  /** The response comes before the result, which is dropped. */
  readonly isAsync: boolean;
}

/** The action of a name. OneBot 11 allows `_async` and `_rate_limited` at its end; actions are counted in any case. */
export function findAction({ version }: Actor, name: string): Found {
  const { actions } = tongues[version];
  const exact = actions.get(name);
  if (exact !== undefined) return { run: exact, isAsync: false };
  const run = version === 11 ? actions.get(name.replace(suffixes, "")) : undefined;
  if (run === undefined) throw new ActionError("unsupported_action", `There is no action ${name.slice(0, 64)}.`);
  return { run, isAsync: name.endsWith("_async") };
}

/** Failures that are the fault of the framework. */
const wrongKinds: ReadonlySet<string> = new Set([
  "bad_request",
  "bad_param",
  "bad_segment",
  "unsupported_segment",
  "unsupported_action",
  "unknown_self",
]);

/** Counts and logs a wrong request of a framework. */
export function noteWrong({ faults, holder }: Actor, { kind, message }: ActionError): void {
  if (wrongKinds.has(kind)) faults.tell(String(holder.userId), "malformed_action", message);
}
