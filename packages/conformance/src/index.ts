import { conversationCases } from "./stores/ai-conversations.ts";
import { lostReplyCases } from "./stores/ai-lost-replies.ts";
import { quotaCases } from "./stores/ai.ts";
import { type BlobSubject, blobCases } from "./blobs.ts";
import { botCases } from "./stores/bots.ts";
import { busCases, type BusSubject } from "./bus.ts";
import { expiryCases } from "./stores/bucket-expiry.ts";
import { shareCases } from "./stores/bucket-shares.ts";
import { codeCases, fileCases } from "./stores/bucket.ts";
import type { StorageCase, StorageSubject } from "./support/case.ts";
import { changeCases } from "./stores/changes.ts";
import { generationCases } from "./teleprinter/device-generations.ts";
import type { GatewaySubject } from "./gateway-subject.ts";
import { gatewayCases } from "./gateways.ts";
import { groupCases } from "./stores/groups.ts";
import { networkRoomCases } from "./stores/network-rooms.ts";
import { historyCases } from "./messages/history.ts";
import { messageFileCases } from "./messages/files.ts";
import { readingCases } from "./messages/reading.ts";
import { recallCases } from "./messages/recall.ts";
import { sinceCases } from "./messages/since.ts";
import { leaseCases } from "./stores/leases.ts";
import { messageCases } from "./messages/messages.ts";
import { networkCases } from "./messages/network.ts";
import { outboxCases } from "./messages/outbox.ts";
import { searchCases } from "./messages/search.ts";
import { searchIndexCases } from "./messages/search-index.ts";
import { wholeCases } from "./records/storage.ts";
import { pairingCases } from "./teleprinter/pairings.ts";
import { recordCases } from "./records/records.ts";
import { teleprinterModelCases } from "./teleprinter/model.ts";
import { appendCases } from "./teleprinter/queue.ts";
import { acknowledgeCases } from "./teleprinter/acknowledge.ts";
import { takeCases } from "./teleprinter/take.ts";
import { teleprinterRoomCases } from "./teleprinter/rooms.ts";
import { teleprinterCases } from "./teleprinter/teleprinter.ts";
import { tokenCases } from "./stores/tokens.ts";
import { userCases } from "./stores/users.ts";

export { heldBuffers } from "./support/streams.ts";
export { blobCases } from "./blobs.ts";
export type { BlobCase, BlobSubject } from "./blobs.ts";
export { busCases } from "./bus.ts";
export type { BusCase, BusSubject } from "./bus.ts";
export type { StorageCase, StorageGround, StorageSubject } from "./support/case.ts";
export { costBudget, costShare, cpuTimeOf, expensiveInputs, mostTimesPlain } from "./support/cost.ts";
export type { ExpensiveInput } from "./support/cost.ts";
export { InjectedFault, withFaults } from "./support/faults.ts";
export type { FaultPlan, FaultyStorage } from "./support/faults.ts";
export { gatewayCases } from "./gateways.ts";
export type { GatewaySubject } from "./gateway-subject.ts";
export type { GatewayCase } from "./gateways.ts";
export { appendMessages, messageIn, person } from "./support/fixtures.ts";
export { intercept } from "./support/intercept.ts";
export type { Around, StoreCall } from "./support/intercept.ts";
export { withLatency } from "./support/latency.ts";
export { withLosses } from "./support/lossy-bus.ts";
export { sampleRecords } from "./records/sample-records.ts";
export type { SampleRecords } from "./records/sample-records.ts";

/** Registers a test under a name: vitest's `it`, or `test` of `node:test`. */
export type DefineTest = (name: string, body: () => Promise<void>) => unknown;

/** Options of {@link storageConformance}. */
export interface StorageConformanceOptions {
  readonly test: DefineTest;
  /** Makes a fresh, empty storage for one case. */
  readonly create: () => Promise<StorageSubject>;
}

/** Every promise of the store contracts, in the order of the capabilities. */
export const storageCases: readonly StorageCase[] = [
  ...teleprinterCases,
  ...teleprinterRoomCases,
  ...appendCases,
  ...takeCases,
  ...acknowledgeCases,
  ...teleprinterModelCases,
  ...generationCases,
  ...pairingCases,
  ...quotaCases,
  ...lostReplyCases,
  ...conversationCases,
  ...codeCases,
  ...fileCases,
  ...shareCases,
  ...expiryCases,
  ...userCases,
  ...tokenCases,
  ...groupCases,
  ...networkRoomCases,
  ...botCases,
  ...messageCases,
  ...messageFileCases,
  ...networkCases,
  ...outboxCases,
  ...historyCases,
  ...sinceCases,
  ...searchCases,
  ...searchIndexCases,
  ...readingCases,
  ...recallCases,
  ...leaseCases,
  ...changeCases,
  ...recordCases,
  ...wholeCases,
];

interface Trial<Subject> {
  readonly name: string;
  readonly run: (subject: Subject) => Promise<void>;
}

function register<Subject extends { destroy(): Promise<void> }>(
  cases: readonly Trial<Subject>[],
  test: DefineTest,
  create: () => Promise<Subject>,
): void {
  for (const { name, run } of cases) {
    test(name, async () => {
      const subject = await create();
      try {
        await run(subject);
      } finally {
        await subject.destroy();
      }
    });
  }
}

/** Registers one test per promise of the store contracts. */
export function storageConformance({ test, create }: StorageConformanceOptions): void {
  register(storageCases, test, create);
}

/** Options of {@link blobConformance}. */
export interface BlobConformanceOptions {
  readonly test: DefineTest;
  /** Makes a fresh, empty blob store for one case. */
  readonly create: () => Promise<BlobSubject>;
}

/** Registers one test per promise of `BlobStore`. */
export function blobConformance({ test, create }: BlobConformanceOptions): void {
  register(blobCases, test, create);
}

/** Options of {@link busConformance}. */
export interface BusConformanceOptions {
  readonly test: DefineTest;
  /** Makes a fresh bus without members for one case. */
  readonly create: () => Promise<BusSubject>;
}

/** Registers one test per promise of `Bus`. */
export function busConformance({ test, create }: BusConformanceOptions): void {
  register(busCases, test, create);
}

/** Options of {@link gatewayConformance}. */
export interface GatewayConformanceOptions {
  readonly test: DefineTest;
  /** Makes a fresh gateway that was not started, with its network, for one case. */
  readonly create: () => Promise<GatewaySubject>;
}

/** Registers one test per promise of `Gateway`. */
export function gatewayConformance({ test, create }: GatewayConformanceOptions): void {
  register(gatewayCases, test, create);
}
