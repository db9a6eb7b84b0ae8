import { blobCases } from "./blobs/cases.ts";
import type { BlobSubject } from "./blobs/blob-kit.ts";
import { busCases, type BusSubject } from "./bus/bus.ts";
import type { StorageSubject } from "./support/case.ts";
import type { GatewaySubject } from "./gateways/subject.ts";
import { gatewayCases } from "./gateways/cases.ts";
import { storageCases } from "./storage-cases.ts";

export { storageCases } from "./storage-cases.ts";
export { heldBuffers } from "./support/streams.ts";

export { blobCases } from "./blobs/cases.ts";

export type { BlobCase, BlobSubject } from "./blobs/blob-kit.ts";

export { busCases } from "./bus/bus.ts";

export type { BusCase, BusSubject } from "./bus/bus.ts";

export type { StorageCase, StorageGround, StorageSubject } from "./support/case.ts";

export { costBudget, costShare, cpuTimeOf, mostTimesPlain } from "./support/cost.ts";

export { expensiveInputs } from "./support/expensive-inputs.ts";

export type { ExpensiveInput } from "./support/expensive-inputs.ts";

export { InjectedFault, withFaults } from "./support/faults.ts";

export type { FaultPlan, FaultyStorage } from "./support/faults.ts";

export { gatewayCases } from "./gateways/cases.ts";

export type { GatewaySubject } from "./gateways/subject.ts";

export type { GatewayCase } from "./gateways/gateway-case.ts";

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
