export { createLeases } from "./leases.ts";
export type { Lease, LeaseHooks, Leases } from "./leases.ts";
export { leasesLimits } from "./limits.ts";
export type { LeasesLimits } from "./limits.ts";
export { readNoteAs } from "./note.ts";
export type { Claim, LeaseKey, LeaseRecord, LeaseStore } from "./store.ts";
