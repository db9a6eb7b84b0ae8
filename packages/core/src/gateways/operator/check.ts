import { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { type LeaseRecord, type LeaseStore, readNoteAs } from "@telex/ground/leases";
import { inTime } from "../faults.ts";
import type { Gateway, GatewayCheck } from "../../networks/gateway.ts";
import { leaseNameOf } from "../accounts/leases.ts";
import { findServing, type RouteDeps } from "../accounts/routes.ts";

/** The prefix of the leases by which one process asks the servers to try an account. */
const checkPrefix = "bot-check/";
/** Milliseconds that the servers have to try an account. */
const checkTime = 20_000;
/** Milliseconds in which a gateway answers, so that its server can still say that it has not. */
const gatewayTime = 18_000;
const mostChecks = 8;
const lookEvery = 100;

interface CheckDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly holder: string;
}

interface AnswerDeps extends CheckDeps, RouteDeps {
  readonly log: Logger;
}

const answer = z.object({
  server: z.string(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

export interface AccountChecked extends Readonly<z.output<typeof answer>> {}

/** The name of a server, without its random suffix. */
export const serverOf = (holder: string): string => holder.slice(0, holder.lastIndexOf("/"));

const find = async (store: LeaseStore, name: string): Promise<LeaseRecord | null> =>
  (await store.listLeases(name)).find((lease) => lease.name === name) ?? null;

/** The answer in the note of the lease; null if none has arrived by then, or if another caller has the lease. */
async function awaitAnswer(
  { store, clock }: Pick<CheckDeps, "store" | "clock">,
  { name, fence }: LeaseRecord,
  until: number,
) {
  while (clock.now() < until) {
    const lease = await find(store, name);
    if (lease?.fence !== fence) return null;
    if (lease.note !== "") return readNoteAs(answer, lease.note);
    await new Promise<void>((resolve) => clock.after(lookEvery, resolve));
  }
  return null;
}

/**
 * Asks the running servers to try an account, through the store: the one that has its connections answers, or any that serves it. Null
 * if none answers within 20 s.
 * @throws TelexError `busy` while another operator checks it
 */
export async function askForCheck(
  { store, clock, holder }: CheckDeps,
  account: string,
): Promise<AccountChecked | null> {
  const name = `${checkPrefix}${account}`;
  const now = clock.now();
  const lease = await store.takeLease({ name, holder, now, until: now + checkTime, note: "" });
  if (lease === null) throw new TelexError("busy", { retryAfter: 5 });
  try {
    return await awaitAnswer({ store, clock }, lease, now + checkTime);
  } finally {
    await store.releaseLease({ name, fence: lease.fence, note: "" });
  }
}

/** Answers what {@link askForCheck} asks, if this server has the account. */
export function createCheckAnswers({ store, clock, holder, running, faults, log }: AnswerDeps) {
  const tryAccount = async (gateway: Gateway, account: string): Promise<readonly GatewayCheck[]> => {
    try {
      return (await inTime(clock, gatewayTime, gateway.check?.(account) ?? Promise.resolve([]))) ?? [];
    } catch (cause) {
      faults.failed(gateway.name, "check", cause);
      return [{ name: "connection", ok: false, detail: `The gateway ${gateway.name} did not answer.` }];
    }
  };
  const answerTo = async (name: string): Promise<void> => {
    const account = name.slice(checkPrefix.length);
    const serving = findServing({ running, faults }, account);
    if (serving === null) return;
    const held = await find(store, leaseNameOf(account));
    const isElsewhere = held !== null && held.until > clock.now() && held.holder !== holder;
    const lease = await find(store, name);
    if (isElsewhere || lease === null || lease.until <= clock.now() || lease.note !== "") return;
    const checks = (await tryAccount(serving.gateway, account)).slice(0, mostChecks);
    const short = checks.map(({ name: tried, ok, detail }) => ({ name: tried, ok, detail: detail.slice(0, 500) }));
    const note = JSON.stringify({ server: serverOf(holder), checks: short });
    await store.touchLease({ name, fence: lease.fence, until: lease.until, note });
  };
  return (name: string): void => {
    if (!name.startsWith(checkPrefix)) return;
    answerTo(name).catch((cause: unknown) => log.error("bots.check_failed", { lease: name }, cause));
  };
}
