import { randomUUID } from "node:crypto";
import type { GatewayMessage, GatewayOutcome } from "@telex/core";
import type { Dialect, PlanDeps, PlannedAction } from "../wire/dialect.ts";
import { type Answer, type Ask, meaningOf } from "../wire/frames.ts";
import type { Session } from "./session.ts";
import type { Spacing } from "./spacing.ts";
import type { Uploads } from "./uploads.ts";

type Failure = Extract<GatewayOutcome, { readonly outcome: "offline" | "unsupported" | "refused" | "unknown" }>;

const offline: Failure = { outcome: "offline" };

interface SendDeps extends Pick<PlanDeps, "uploaded"> {
  readonly ask: Ask;
  readonly spacing: Spacing;
  readonly uploads: Uploads;
  /** The session in which the account can send now, or null. */
  readonly session: () => Pick<Session, "dialect"> | null;
}

/** The outcome of a message whose first action failed, or of an action that changes a message. */
export function failureOf(answer: Exclude<Answer, { readonly outcome: "ok" }>): Failure {
  if (answer.outcome === "unsent") return offline;
  if (answer.outcome === "lost") return { outcome: "unknown" };
  const outcome = meaningOf(answer.retcode);
  return outcome === "refused" ? { outcome, detail: answer.text } : { outcome };
}

/** Ids by which the echoes of an action will be known, in addition to the id of the message. */
function echoIdsOf(dialect: Dialect, data: unknown, ownId: string | null): readonly string[] {
  const ids = dialect.echoIdsOf(data);
  return ids.length > 0 || ownId === null ? ids : [ownId];
}

/** Runs the actions of a message in order. After the first one, the network has a part of the message, even if the others fail. */
async function run(
  message: GatewayMessage,
  actions: readonly PlannedAction[],
  dialect: Dialect,
  { ask, uploads }: SendDeps,
): Promise<GatewayOutcome> {
  let messageId: string | null = null;
  const ids: string[] = [];
  const done: PlannedAction["parts"][number][] = [];
  const idsNow = () => ({ messageId, otherIds: ids.filter((id) => id !== messageId) });
  for (const { fileName, parts, ...action } of actions) {
    const ownId = fileName === null ? null : `upload:${randomUUID()}`;
    if (fileName !== null && ownId !== null) uploads.expect(message.room, fileName, ownId);
    const answer = await ask(action, message.signal);
    if (answer.outcome !== "ok") {
      if (done.length === 0) return failureOf(answer);
      // The network may have the file nevertheless: then its echo belongs to this message.
      if (ownId !== null) ids.push(ownId);
      return { outcome: "partly", ...idsNow(), parts: done };
    }
    done.push(...parts);
    messageId ??= dialect.messageIdOf(answer.data);
    ids.push(...echoIdsOf(dialect, answer.data, ownId));
  }
  return { outcome: "delivered", ...idsNow() };
}

/** The implementation may have lost the files of a message that has failed: they are uploaded again with the next one. */
function forgetFiles({ parts }: GatewayMessage, { uploaded }: SendDeps): void {
  for (const part of parts) if ("file" in part) uploaded.delete(part.file.md5);
}

/** Sends a message when its turn has come. */
export async function sendMessage(message: GatewayMessage, deps: SendDeps): Promise<GatewayOutcome> {
  const session = deps.session();
  if (session === null) return offline;
  const { dialect } = session;
  const planned = await dialect.plan(message, deps);
  if (planned.outcome !== "planned") return planned;
  const isTurn = await deps.spacing.turn(message.signal);
  // A newer connection may be another program, without the files that were uploaded for this message.
  const isSame = (): boolean => deps.session() === session;
  if (!isTurn || !isSame()) return offline;
  await message.begin();
  const outcome = isSame() ? await run(message, planned.actions, dialect, deps) : offline;
  if (outcome.outcome !== "delivered") forgetFiles(message, deps);
  return outcome;
}
