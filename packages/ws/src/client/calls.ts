import { endOf, SocketError } from "./errors.ts";

/** A frame of the service. */
export interface Frame {
  readonly type: string;
  readonly code: number;
  readonly identifier?: unknown;
  readonly data?: unknown;
  readonly msg?: string;
}

/** A call that waits for its result. */
export interface Pending {
  /** The `type` of the frame that ends it. Null: any frame, also one that says that the command failed. */
  readonly result: string | null;
  readonly resolve: (data: unknown) => void;
  readonly reject: (cause: SocketError) => void;
  readonly piece: (frame: Frame) => void;
}

/** @returns whether the call is over */
function settle({ result, resolve, reject, piece }: Pending, frame: Frame): boolean {
  if (result === null) resolve(null);
  else if (frame.code !== 200) reject(new SocketError("refused", frame.code, frame.msg ?? "The command failed."));
  else if (frame.type === result) resolve(frame.data);
  else {
    piece(frame);
    return false;
  }
  return true;
}

/** The calls of one connection, and what they wait for. */
export function createCalls() {
  const pending = new Map<string, Pending>();
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
    /** False for a frame that belongs to no call. */
    take(frame: Frame): boolean {
      const key = typeof frame.identifier === "string" ? frame.identifier : "";
      const call = pending.get(key);
      if (call !== undefined && settle(call, frame)) pending.delete(key);
      return call !== undefined;
    },
    end(cause: SocketError): void {
      for (const { reject } of pending.values()) reject(endOf(cause, true));
      pending.clear();
    },
  };
}
