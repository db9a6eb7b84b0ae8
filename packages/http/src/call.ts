import type { CallContext } from "@telex/core";
import type { H3Event } from "h3";
import { type NodeSide, nodeOf, onEnded } from "./node.ts";

/** One call of an operation, from its start until its answer was written or could not be. */
export interface Call {
  readonly context: CallContext;
  /** The answer as a body that tells, where only reading it can tell, when it was read to its end. */
  body(text: string): string | ReadableStream<Uint8Array>;
  /** The operation has failed: what it meant to answer is not written. */
  fail(): void;
}

function closeSignal(node: NodeSide): AbortSignal {
  const controller = new AbortController();
  onEnded(node, (written) => {
    if (!written) controller.abort();
  });
  return controller.signal;
}

/** A body of one chunk that is handed over when it is asked for, and followed by `ended`. */
function observedBody(text: string, ended: (written: boolean) => void): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode(text)];
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk !== undefined) return controller.enqueue(chunk);
        controller.close();
        ended(true);
      },
      cancel: () => ended(false),
    },
    { highWaterMark: 0 },
  );
}

/** Begins a call. */
export function openCall(event: H3Event): Call {
  const node = nodeOf(event);
  const listeners: ((written: boolean) => void)[] = [];
  let signal: AbortSignal | null = null;
  let outcome: boolean | null = null;
  const settle = (written: boolean): void => {
    outcome ??= written;
    for (const listener of listeners.splice(0)) listener(outcome);
  };
  const context: CallContext = {
    get signal() {
      signal ??= node === null ? event.req.signal : closeSignal(node);
      return signal;
    },
    onWritten(listener) {
      if (outcome !== null) return listener(outcome);
      if (listeners.push(listener) === 1 && node !== null) onEnded(node, settle);
    },
  };
  return {
    context,
    body: (text) => (node === null && listeners.length > 0 ? observedBody(text, settle) : text),
    fail: () => settle(false),
  };
}
