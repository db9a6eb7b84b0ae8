import { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { GatewaysLimits } from "../limits.ts";
import type { GatewayFaults } from "../faults.ts";
import type { GatewayOutcome, GatewayPart } from "../../networks/gateway.ts";
import type { Route } from "../accounts/routes.ts";

export interface AskDeps {
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime" | "gatewayWait">;
  readonly faults: GatewayFaults;
  readonly closing: AbortSignal;
}

interface Question {
  readonly parts: readonly GatewayPart[];
  /** Notes durably that the network is about to be asked. False if it must not be asked. */
  readonly start: () => Promise<boolean>;
}

const ids = {
  messageId: z.string().min(1).nullable(),
  otherIds: z.array(z.string().min(1)).max(100).optional(),
};
const part = z.custom<GatewayPart>((value) => typeof value === "object" && value !== null);

const outcomes = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("delivered"), ...ids }),
  z.object({ outcome: z.literal("partly"), ...ids, parts: z.array(part).min(1) }),
  z.object({ outcome: z.literal("refused"), detail: z.string().transform((detail) => detail.slice(0, 200)) }),
  z.object({ outcome: z.literal(["offline", "unsupported", "unknown"]) }),
]);

/** Starts a message: once, and not after it was given up. */
function createStart({ start }: Question, isGivenUp: () => boolean, begun: () => void) {
  let starting: Promise<boolean> | null = null;
  let failure: unknown = null;
  const once = (): Promise<boolean> =>
    (starting ??= start().catch((cause: unknown) => {
      failure = cause;
      return false;
    }));
  return {
    failure: (): unknown => failure,
    begin: async (): Promise<void> => {
      if (isGivenUp() || !(await once()) || isGivenUp()) throw new TelexError("bot_offline");
      begun();
    },
  };
}

/**
 * Gives a message to a gateway. Returns in bounded time, whatever the gateway does: before `begin` nothing was sent, after it the outcome
 * is unknown.
 * @throws TelexError of `start`, before the gateway sends anything
 */
export async function ask(
  { clock, limits, faults, closing }: AskDeps,
  { gateway, account, room }: Route,
  question: Question,
): Promise<GatewayOutcome> {
  const { parts } = question;
  const controller = new AbortController();
  const { signal } = controller;
  const givenUp = Promise.withResolvers<GatewayOutcome>();
  let isBegun = false;
  const lost = (): GatewayOutcome => ({ outcome: isBegun ? "unknown" : "offline" });
  const giveUp = (): void => {
    controller.abort();
    givenUp.resolve(lost());
  };
  const late = (): void => {
    faults.failed(gateway.name, isBegun ? "answer too late" : "begin too late");
    giveUp();
  };
  const stop = (): void => {
    if (!isBegun) giveUp();
  };
  let cancel = clock.after(limits.gatewayWait, late);
  const begun = (): void => {
    if (isBegun) return;
    isBegun = true;
    cancel();
    cancel = clock.after(limits.gatewayAnswerTime, late);
  };
  const { begin, failure } = createStart(question, () => signal.aborted, begun);
  const send = async (): Promise<unknown> => gateway.send({ account: account.account, room, parts, begin, signal });
  closing.addEventListener("abort", stop);
  if (closing.aborted) stop();
  try {
    const outcome = outcomes.parse(await Promise.race([givenUp.promise, send()]));
    if (failure() !== null) throw failure();
    return outcome;
  } catch (cause) {
    if (failure() !== null) throw failure();
    faults.failed(gateway.name, "send", cause);
    return lost();
  } finally {
    cancel();
    closing.removeEventListener("abort", stop);
  }
}
