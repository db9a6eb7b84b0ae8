import type { Clock } from "@telex/ground/time";
import type { GatewaysLimits } from "../limits.ts";
import { inTime } from "../faults.ts";
import type { Gateway, NetworkMember } from "../../networks/gateway.ts";
import type { AccountLeases } from "./leases.ts";
import { findServing, type RouteDeps } from "./routes.ts";
import type { AccountQuestion } from "../bus-events.ts";
import type { DoAsked } from "./questions.ts";

interface ServeDeps extends RouteDeps {
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime">;
  readonly accountLeases: Pick<AccountLeases, "isHeld" | "isAlive">;
}

/** Maximum bytes of members in one answer: a bus may lose events of more than a million. */
const memberBytes = 800_000;

/** The members that fit into one answer, which is JSON. */
function fitting(members: readonly NetworkMember[]): readonly NetworkMember[] {
  let left = memberBytes;
  return members.filter((member) => {
    left -= Buffer.byteLength(JSON.stringify(JSON.stringify(member)));
    return left >= 0;
  });
}

/** Asks the gateway itself. It may never answer, so the caller must limit its wait. */
async function askGateway(
  gateway: Gateway,
  question: Extract<AccountQuestion, { readonly name: "recall" | "react" | "members" | "member" }>,
): Promise<object | boolean> {
  if (question.name === "recall") return (await gateway.recall?.(question.recall)) === true;
  if (question.name === "react") return (await gateway.react?.(question.reaction)) ?? { outcome: "unsupported" };
  const { account, room } = question;
  if (question.name === "member")
    return { member: (await gateway.findMember?.({ account, room, ext: question.ext })) ?? null };
  return fitting((await gateway.listMembers?.({ account, room })) ?? []);
}

/** Answers the questions of other servers about the accounts of this one. */
export const createServing =
  (deps: ServeDeps): DoAsked =>
  async (question) => {
    const { accountLeases, clock, limits } = deps;
    const { account, name } = question;
    if (name === "alive") return accountLeases.isAlive(account);
    // A server of a later version may ask for more.
    if (name !== "recall" && name !== "react" && name !== "members" && name !== "member") return "unsupported";
    const serving = findServing(deps, account);
    if (serving === null || accountLeases.isHeld(account) !== true) return null;
    return inTime(clock, limits.gatewayAnswerTime, askGateway(serving.gateway, question));
  };
