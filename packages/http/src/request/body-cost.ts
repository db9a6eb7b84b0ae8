import { longestInput, type Operation } from "@telex/core/contract";
import type { Exchange } from "../exchange/exchange.ts";
import { announcedSize } from "../exchange/source.ts";

/** The limits of the size of a body. */
export interface BodyBounds {
  /** Bytes. */
  readonly bodySize: number;
  /** Maximum bytes in addition to its pictures. Default: all of `bodySize`. */
  readonly besidePictures?: number;
  /**
   * Checks a parsed body.
   * @param size its bytes
   * @throws TelexError if it is refused
   */
  readonly check?: (body: unknown, size: number) => void;
}

/** The minimum limit of a body, in bytes. */
const leastBody = 16 * 1024;

/** Bytes that a body may have in addition to its input: white space, and fields that the operation does not know. */
const overhead = 4 * 1024;

/** The bytes that a JSON body of an operation may have: what its longest input needs, and never more than `most`. */
export const bodySizeOf = (operation: Operation, most: number): number =>
  Math.min(most, Math.max(leastBody, longestInput(operation) + overhead));

/** Bytes of a body that count as one call: reading this much costs as much as a few calls do. */
const callSize = 32 * 1024;

/** The calls that a body of this many bytes counts as. */
export const costOf = (size: number): number => Math.floor(size / callSize);

/** The calls that a body counts as until its size is known. A body that announces no size counts as the largest. */
export function expectedCost(exchange: Exchange, { bodySize }: BodyBounds): number {
  const announced = announcedSize(exchange);
  const size = Number.isNaN(announced) ? bodySize : announced;
  return size > bodySize ? 0 : costOf(size);
}
