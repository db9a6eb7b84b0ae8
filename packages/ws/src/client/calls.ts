import type { Frame } from "./frames.ts";
import { endOf, SocketError } from "./errors.ts";

/** A call that waits for its result. */
export interface Pending {
  /** Called with the frame that ends the call successfully. */
  readonly result: (frame: Frame) => void;
  readonly reject: (cause: SocketError) => void;
  readonly piece: (frame: Frame) => void;
}

/**
 * The calls of one connection that wait for their results.
 * @param pieces the `type` of frames that precede a result
 */
export function createCalls(pieces: readonly string[]) {
  const pending = new Map<unknown, Pending>();
  let count = 0;
  return {
    get size() {
      return pending.size;
    },
    /** @returns the identifier of its command */
    add(call: Pending): string {
      count += 1;
      pending.set(String(count), call);
      return String(count);
    },
    /** Passes a frame to its call. False if the frame belongs to no call. */
    take(frame: Frame): boolean {
      const { type, code, identifier, msg = "The command failed." } = frame;
      const call = pending.get(identifier);
      if (call === undefined) return false;
      if (code === 200 && pieces.includes(type)) call.piece(frame);
      else if (pending.delete(identifier) && code === 200) call.result(frame);
      else call.reject(new SocketError("refused", code, msg));
      return true;
    },
    end(cause: SocketError): void {
      for (const { reject } of pending.values()) reject(endOf(cause, true));
      pending.clear();
    },
  };
}
