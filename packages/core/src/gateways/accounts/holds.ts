import { z } from "zod";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { type Lease, type LeaseRecord, type LeaseStore, type Leases, readNoteAs } from "@telex/ground/leases";
import { inTime } from "../faults.ts";
import type { GatewayHoldHooks, GatewayHolds, GatewayReport } from "../../networks/holds.ts";
import type { AccountQuestions } from "./questions.ts";

export const holdPrefix = "bot/";
/** Milliseconds for which a server that has an account may say nothing when another one wants it. */
const takeoverTime = 5000;

export const holdOf = (account: string): string => `${holdPrefix}${account}`;

const shortText = z.string().transform((text) => text.slice(0, 500));

const note = z.object({
  isConnected: z.boolean(),
  isOnline: z.boolean(),
  ext: shortText.nullable(),
  version: shortText.nullable(),
  implementation: shortText.nullable(),
  problem: z.object({ code: shortText, text: shortText, at: z.number() }).nullable(),
  /** Unix milliseconds: since when the account is connected and online, or not. */
  since: z.number(),
});

interface AccountNote extends Readonly<z.output<typeof note>> {}

/** Reads the note of a lease; null if this version cannot read it. */
export const readNote = (lease: Pick<LeaseRecord, "note">): AccountNote | null => readNoteAs(note, lease.note);

interface HoldDeps {
  readonly leases: Leases & { readonly holder: string };
  readonly store: Pick<LeaseStore, "listLeases">;
  readonly questions: Pick<AccountQuestions, "ask">;
  readonly hasPeers: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The current lease of an account; null if no server has it. */
export async function findHeld(
  { store, clock }: Pick<HoldDeps, "store" | "clock">,
  account: string,
): Promise<LeaseRecord | null> {
  const name = holdOf(account);
  const lease = (await store.listLeases(name)).find((one) => one.name === name);
  return lease !== undefined && lease.until > clock.now() ? lease : null;
}

/**
 * Takes an account from a server that is gone, or whose connection of the account is dead.
 * @param isWanted false if the account was released during the call: the lease would never be released
 */
async function takeOver(
  { questions, leases, log, ...deps }: HoldDeps,
  account: string,
  { lease, isWanted }: { readonly lease: Lease; readonly isWanted: () => boolean },
): Promise<boolean> {
  const held = await findHeld(deps, account);
  if (held === null) return isWanted() && lease.take();
  const question = { name: "alive", account } as const;
  const request = { server: held.holder, question, answer: z.boolean(), patience: takeoverTime };
  // A lease that this server itself lost needs no question.
  const isAlive = held.holder !== leases.holder && (await questions.ask(request)) === true;
  const isTaken = !isAlive && isWanted() && (await lease.take(held.fence));
  if (isTaken) log.warn("gateway.account_taken", { account, holder: held.holder });
  return isTaken;
}

export interface AccountHolds extends GatewayHolds {
  /** True if this server has the account; null if no gateway of this server has asked for it. */
  isHeld(account: string): boolean | null;
  hasAny(): boolean;
  /** True if the connection of an account is alive; null if this server does not have the account. */
  isAlive(account: string): Promise<boolean | null>;
}

interface OpenHold {
  readonly lease: Lease;
  readonly hooks: GatewayHoldHooks;
}

/** The holds of accounts as leases, whose notes say how the accounts are. */
export function createGatewayHolds(deps: HoldDeps): AccountHolds {
  const { leases, clock, hasPeers } = deps;
  const opened = new Map<string, OpenHold>();
  return {
    isHeld: (account) => opened.get(account)?.lease.isHeld ?? null,
    hasAny: () => opened.values().some(({ lease }) => lease.isHeld),
    async isAlive(account) {
      const hold = opened.get(account);
      if (hold?.lease.isHeld !== true) return null;
      // The asking server learns that this one is at work, and would wait for as long.
      return inTime(clock, takeoverTime, hold.hooks.isAlive?.() ?? Promise.resolve(true));
    },
    open(account, hooks) {
      const lease = leases.open(holdOf(account), hooks);
      opened.set(account, { lease, hooks });
      let state = "";
      let since = clock.now();
      let releases = 0;
      return {
        get isHeld() {
          return lease.isHeld;
        },
        async take() {
          const before = releases;
          const isWanted = (): boolean => releases === before;
          return (await lease.take()) || (hasPeers && takeOver(deps, account, { lease, isWanted }));
        },
        keep: () => lease.keep(),
        release() {
          releases += 1;
          return lease.release();
        },
        report(report: GatewayReport) {
          const next = `${report.isConnected} ${report.isOnline}`;
          if (next !== state) since = clock.now();
          state = next;
          lease.say(JSON.stringify(note.parse({ ...report, since })));
        },
      };
    },
  };
}
