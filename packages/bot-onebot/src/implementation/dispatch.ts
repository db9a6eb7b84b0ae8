import { z } from "zod";
import type { RateLimiter } from "@telex/core/transport";
import type { Version } from "../wire/dialect.ts";
import { longText } from "../wire/fields.ts";
import { fieldsSchema, readJson } from "../wire/frames.ts";
import type { Run } from "./actions/action.ts";
import type { Actor } from "./context.ts";
import { ActionError, failed, frameOf, type Result, toActionError } from "./results.ts";
import { tongues } from "./tongues.ts";

/** An action that was read from a frame or a request. */
interface Asked {
  readonly action: string;
  readonly params: unknown;
}

const self = z.object({ user_id: z.string().max(128) }).nullish();
/** No action has a longer name. */
const actionName = z.string().max(128);
// OneBot 11 has no field `self`: whatever is there means nothing.
const frame11 = z.object({
  action: actionName,
  params: fieldsSchema.nullish(),
  echo: z.unknown().optional(),
  self: self.catch(null),
});
const frame12 = z.object({
  action: actionName,
  params: fieldsSchema,
  echo: longText.optional(),
  self,
});

const suffixes = /_(async|rate_limited)$/;

interface Found {
  readonly run: Run;
  /** Nobody waits for the result. */
  readonly isAsync: boolean;
}

/** The action of a name. OneBot 11 takes `_async` and `_rate_limited` at its end: actions are counted in any case. */
function findAction({ version }: Actor, name: string): Found {
  const { actions } = tongues[version];
  const exact = actions.get(name);
  if (exact !== undefined) return { run: exact, isAsync: false };
  const run = version === 11 ? actions.get(name.replace(suffixes, "")) : undefined;
  if (run === undefined) throw new ActionError("unsupported_action", `There is no action ${name.slice(0, 64)}.`);
  return { run, isAsync: name.endsWith("_async") };
}

/** Does an action with the token of its framework: what it wants to change after the token has ended is refused. */
async function runWithToken(actor: Actor, run: Run, given: unknown): Promise<unknown> {
  const ended = new AbortController();
  const detach = actor.telex.attach({
    holder: actor.holder,
    write() {},
    close: (reason) => void (reason === "token_ended" && ended.abort()),
  });
  try {
    return await run({ ...actor, ended: ended.signal }, given);
  } finally {
    detach();
  }
}

/** Failures that the framework causes by what it asks. */
const wrongKinds: ReadonlySet<string> = new Set([
  "bad_request",
  "bad_param",
  "bad_segment",
  "unsupported_segment",
  "unsupported_action",
  "unknown_self",
]);

/** Counts and logs what a framework has asked wrongly. */
function noteWrong({ faults, holder }: Actor, { kind, message }: ActionError): void {
  if (wrongKinds.has(kind)) faults.tell(String(holder.userId), "malformed_action", message);
}

/** What doing actions needs. */
export interface DispatchDeps {
  readonly limiter: RateLimiter;
}

/** Does an action. Never rejects. */
export async function act(actor: Actor, { action, params: given }: Asked, { limiter }: DispatchDeps): Promise<Result> {
  const { telex, holder, version } = actor;
  const fail = (cause: unknown): Result => {
    const error = toActionError(cause, telex.locale);
    if (error.kind === "internal") telex.log.error("onebot.action_failed", { userId: holder.userId, action }, cause);
    noteWrong(actor, error);
    return failed(version, error);
  };
  try {
    const { refusal } = limiter.count(holder, () => null, 1);
    if (refusal !== null) throw refusal;
    const { run, isAsync } = findAction(actor, action);
    if (!isAsync) return { status: "ok", data: await runWithToken(actor, run, given) };
    const leave = actor.inProgress.take(String(holder.userId));
    if (leave === null)
      throw new ActionError("too_fast", "Too many actions are in progress. Wait until some are done.");
    void runWithToken(actor, run, given).catch(fail).finally(leave);
    return { status: "async", data: null };
  } catch (cause) {
    return fail(cause);
  }
}

/** What is wrong with a frame, in words. */
function wrongFrame(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ActionError {
  const [issue] = issues;
  return new ActionError("bad_request", `${issue?.path.join(".") || "The frame"}: ${issue?.message ?? "wrong"}.`);
}

/** The echo of a frame that may be anything. */
function echoOf(frame: unknown): unknown {
  const echo: unknown = typeof frame === "object" && frame !== null ? Reflect.get(frame, "echo") : undefined;
  return echo;
}

/** The frame of a result as a text, without an echo that is nested too deeply to be written. */
function writeFrame(version: Version, result: Result, echo: unknown): string {
  try {
    return JSON.stringify(frameOf(version, result, echo));
  } catch {
    return JSON.stringify(frameOf(version, result, undefined));
  }
}

/** Does the action of a frame, and resolves with the frame of its result. Never rejects. */
export async function answerFrame(actor: Actor, text: string, deps: DispatchDeps): Promise<string> {
  const { version, holder } = actor;
  const own = String(holder.userId);
  const frame = readJson(text);
  const read = (version === 11 ? frame11 : frame12).safeParse(frame);
  const refuse = (error: ActionError): string => {
    noteWrong(actor, error);
    return writeFrame(version, failed(version, error), echoOf(frame));
  };
  if (!read.success) return refuse(wrongFrame(read.error.issues));
  const { action, echo, params: given, self: meant } = read.data;
  const isOther = version === 12 && (meant?.user_id ?? own) !== own;
  if (isOther) return refuse(new ActionError("unknown_self", "self: this connection is for another account."));
  return writeFrame(version, await act(actor, { action, params: given ?? {} }, deps), echo);
}
