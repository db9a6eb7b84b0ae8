import { z } from "zod";
import type { Leases } from "../leases/leases.ts";
import { readNoteAs } from "../leases/note.ts";
import type { LeaseRecord } from "../leases/store.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayHolds, GatewayReport } from "./gateway.ts";

/** What the leases of accounts begin with. */
export const holdPrefix = "bot/";

/** The name of the lease of an account. */
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

/** What a lease says of its account. */
interface AccountNote extends Readonly<z.output<typeof note>> {}

/** What a lease says of its account; null if it says nothing that this version can read. */
export const readNote = (lease: Pick<LeaseRecord, "note">): AccountNote | null => readNoteAs(note, lease.note);

/** The holds of accounts as leases, whose notes say how the accounts are. */
export const createGatewayHolds = (leases: Leases, clock: Clock): GatewayHolds => ({
  open(account, hooks) {
    const lease = leases.open(holdOf(account), hooks);
    let state = "";
    let since = clock.now();
    return {
      get isHeld() {
        return lease.isHeld;
      },
      take: () => lease.take(),
      keep: () => lease.keep(),
      release: () => lease.release(),
      report(report: GatewayReport) {
        const next = `${report.isConnected} ${report.isOnline}`;
        if (next !== state) since = clock.now();
        state = next;
        lease.say(JSON.stringify(note.parse({ ...report, since })));
      },
    };
  },
});
