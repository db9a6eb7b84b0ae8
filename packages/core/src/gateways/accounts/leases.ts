import { z } from "zod";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { type Lease, type LeaseRecord, type LeaseStore, type Leases, readNoteAs } from "@telex/ground/leases";
import { inTime } from "../faults.ts";
import type { GatewayLeaseHooks, GatewayLeases, GatewayReport } from "../../networks/leases.ts";
import type { AccountQuestions } from "./questions.ts";

export const leasePrefix = "bot/";
/** Milliseconds for which a server that has an account may say nothing when another one wants it. */
const takeoverTime = 5000;

export const leaseNameOf = (account: string): string => `${leasePrefix}${account}`;

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

interface LeaseDeps {
  readonly leases: Leases & { readonly holder: string };
  readonly store: Pick<LeaseStore, "listLeases">;
  readonly questions: Pick<AccountQuestions, "ask">;
  readonly hasPeers: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The current lease of an account; null if no server has it. */
export async function findHeld(
  { store, clock }: Pick<LeaseDeps, "store" | "clock">,
  account: string,
): Promise<LeaseRecord | null> {
  const name = leaseNameOf(account);
  const lease = (await store.listLeases(name)).find((one) => one.name === name);
  return lease !== undefined && lease.until > clock.now() ? lease : null;
}

/**
 * Takes an account from a server that is gone, or whose connection of the account is dead.
 * @param isWanted false if the account was released during the call: the lease would never be released
 */
async function takeOver(
  { questions, leases, log, ...deps }: LeaseDeps,
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

export interface AccountLeases extends GatewayLeases {
  /** True if this server has the account; null if no gateway of this server has asked for it. */
  isHeld(account: string): boolean | null;
  hasAny(): boolean;
  /** True if the connection of an account is alive; null if this server does not have the account. */
  isAlive(account: string): Promise<boolean | null>;
}

interface OpenLease {
  readonly lease: Lease;
  readonly hooks: GatewayLeaseHooks;
}

/** The leases of accounts, whose notes say how the accounts are. */
export function createAccountLeases(deps: LeaseDeps): AccountLeases {
  const { leases, clock, hasPeers } = deps;
  const opened = new Map<string, OpenLease>();
  return {
    isHeld: (account) => opened.get(account)?.lease.isHeld ?? null,
    hasAny: () => opened.values().some(({ lease }) => lease.isHeld),
    async isAlive(account) {
      const openLease = opened.get(account);
      if (openLease?.lease.isHeld !== true) return null;
      // The asking server learns that this one is working, and would wait.
      return inTime(clock, takeoverTime, openLease.hooks.isAlive?.() ?? Promise.resolve(true));
    },
    open(account, hooks) {
      const lease = leases.open(leaseNameOf(account), hooks);
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
