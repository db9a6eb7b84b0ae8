import { shortText } from "@telex/core/contract";
import { z } from "zod";
import type { RateLimiter } from "@telex/core/transport";
import { longText } from "../wire/fields.ts";
import { fieldsSchema, readJson } from "../wire/frames.ts";
import type { Run } from "./actions/action.ts";
import type { Actor } from "./context.ts";
import type { Weighed } from "./connections/load.ts";
import { ActionError, failed, type Result, toActionError } from "./results.ts";
import { actionName, findAction, noteWrong } from "./find-action.ts";
import { callSize, wrongFrame, echoOf, writeFrame, echoUnread } from "./answer-frame.ts";

/** An action that was read from a frame or a request. */
interface Asked {
  readonly action: string;
  readonly params: unknown;
  /** Maximum bytes of memory that the parameters take. */
  readonly weight: number;
}

const self = z.object({ user_id: shortText(128) }).nullish();

// OneBot 11 has no field `self`, so it is ignored.
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

/** Runs an action with the token of its framework: changes after the token has ended are refused. */
async function runWithToken(actor: Actor, run: Run, params: unknown): Promise<unknown> {
  const ended = new AbortController();
  const detach = actor.telex.attach({
    holder: actor.holder,
    write() {},
    close: (reason) => void (reason === "token_ended" && ended.abort()),
  });
  try {
    return await run({ ...actor, ended: ended.signal }, params);
  } finally {
    detach();
  }
}

export interface DispatchDeps {
  readonly limiter: RateLimiter;
}

/** Maximum bytes of a frame or body without its base64. */
const maxBeside = 2 ** 20;

/** Counts a text by its size. Returns the reason why it is not parsed, or null. */
function refusalOf({ holder, load, telex }: Actor, request: Weighed, limiter: RateLimiter): ActionError | null {
  const { refusal } = limiter.count(holder, () => null, 1);
  if (refusal !== null) return toActionError(refusal, telex.locale);
  limiter.charge(holder, () => null, Math.floor(request.size / callSize));
  if (request.beside > maxBeside)
    return new ActionError("bad_request", "More than 1 MiB without base64. Send fewer values.");
  if (!load.isFull(holder.userId, request.weight)) return null;
  return new ActionError("too_fast", "The actions in progress hold too much memory. Wait until some are done.");
}

/** Holds the weight of a text while it is used. */
async function holdWhile<T>({ load, holder }: Actor, weight: number, use: () => Promise<T>): Promise<T> {
  const release = load.hold(holder.userId, weight);
  try {
    return await use();
  } finally {
    release();
  }
}

/**
 * Counts a text by its size, and passes it to `use`. Holds its weight until then.
 * @param use called with the reason if the text is refused: then it MUST NOT be parsed
 */
export async function admitText<T>(
  actor: Actor,
  asked: Weighed,
  { limiter }: DispatchDeps,
  use: (refusal: ActionError | null) => Promise<T>,
): Promise<T> {
  const refusal = refusalOf(actor, asked, limiter);
  if (refusal === null) return await holdWhile(actor, asked.weight, () => use(null));
  noteWrong(actor, refusal);
  return use(refusal);
}

/** Counts an action that continues after its answer, until the returned function is called. */
function takeRoom({ inProgress, load, holder: { userId } }: Actor, weight: number): () => void {
  const leave = inProgress.take(String(userId));
  if (leave === null) throw new ActionError("too_fast", "Too many actions are in progress. Wait until some are done.");
  const release = load.hold(userId, weight);
  return () => {
    leave();
    release();
  };
}

/** The result of an action that failed. An error that is not the fault of the client is logged. */
function resultOf(actor: Actor, action: string, cause: unknown): Result {
  const { telex, holder, version } = actor;
  const error = toActionError(cause, telex.otherLocale);
  if (error.kind === "internal") telex.log.error("onebot.action_failed", { userId: holder.userId, action }, cause);
  noteWrong(actor, error);
  return failed(version, error);
}

/** Runs an action of an admitted text. Never rejects. */
export async function act(actor: Actor, { action, params: fields, weight }: Asked): Promise<Result> {
  const fail = (cause: unknown): Result => resultOf(actor, action, cause);
  try {
    const { run, isAsync } = findAction(actor, action);
    if (!isAsync) return { status: "ok", data: await runWithToken(actor, run, fields) };
    const leave = takeRoom(actor, weight);
    void runWithToken(actor, run, fields).catch(fail).finally(leave);
    return { status: "async", data: null };
  } catch (cause) {
    return fail(cause);
  }
}

/** Runs the action of a frame, and resolves with the frame of its result. Never rejects. */
export const answerFrame = (actor: Actor, request: Weighed, deps: DispatchDeps): Promise<string> =>
  admitText(actor, request, deps, async (refusal) =>
    refusal === null
      ? answerAdmitted(actor, request)
      : writeFrame(actor.version, failed(actor.version, refusal), echoUnread(request)),
  );

async function answerAdmitted(actor: Actor, { text, weight }: Weighed): Promise<string> {
  const { version, holder } = actor;
  const own = String(holder.userId);
  const frame = readJson(text);
  const read = (version === 11 ? frame11 : frame12).safeParse(frame);
  const refuse = (error: ActionError): string => {
    noteWrong(actor, error);
    return writeFrame(version, failed(version, error), echoOf(frame));
  };
  if (!read.success) return refuse(wrongFrame(read.error.issues));
  const { action, echo, params: fields, self: meant } = read.data;
  const isOther = version === 12 && (meant?.user_id ?? own) !== own;
  if (isOther) return refuse(new ActionError("unknown_self", "self: this connection is for another account."));
  return writeFrame(version, await act(actor, { action, params: fields ?? {}, weight }), echo);
}
