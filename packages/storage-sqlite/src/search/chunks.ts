import type { MessageTerms } from "@telex/core/storage";
import { addTerms, signatureBytes } from "./signature.ts";
import { chunkOf, messagesPerChunk } from "./tables.ts";

/** The signatures of messages in one chunk. */
export interface FilledChunk {
  readonly groupId: number;
  readonly chunk: number;
  messages: number;
  readonly bits: Uint8Array;
}

/** The chunks of messages, with their signatures. Messages of one chunk must follow each other. */
export function chunksOf(messages: readonly MessageTerms[]): readonly FilledChunk[] {
  const chunks: FilledChunk[] = [];
  for (const { groupId, seq, terms } of messages) {
    let last = chunks.at(-1);
    if (last?.chunk !== chunkOf(seq) || last.groupId !== groupId) {
      const bits = new Uint8Array(messagesPerChunk * signatureBytes);
      last = { groupId, chunk: chunkOf(seq), messages: 0, bits };
      chunks.push(last);
    }
    last.messages += 1;
    addSignature(last.bits, seq, terms);
  }
  return chunks;
}

export function addSignature(bits: Uint8Array, seq: number, terms: readonly number[]): void {
  addTerms(bits, ((seq - 1) % messagesPerChunk) * signatureBytes, terms);
}

export function clearSignature(bits: Uint8Array, seq: number): void {
  const at = ((seq - 1) % messagesPerChunk) * signatureBytes;
  bits.fill(0, at, at + signatureBytes);
}
