import { type Clock, TelexError, type TokenHolder } from "@telex/core";
import type { Callers } from "@telex/ws/acceptor";

/** Counts packets of one connection in the rate of its caller. */
export interface Rates {
  /**
   * Null if the packet may be handled now. Otherwise, a promise that resolves when it may be handled: MQTT 3.1.1 cannot refuse a packet, so
   * the connection waits and is not read any further. Packets continue in the order of the calls.
   */
  readonly pay: (cost: number) => Promise<void> | null;
}

interface RatesDeps {
  readonly clock: Clock;
  readonly callers: Pick<Callers, "count">;
  readonly holder: TokenHolder;
  readonly address: string | null;
  /** Runs a task when the connection ends. */
  readonly atEnd: (task: () => void) => void;
}

const second = 1000;

export function createRates({ clock, callers, holder, address, atEnd }: RatesDeps): Rates {
  let turn: Promise<void> | null = null;
  let wake = (): void => {};
  const state = { isOver: false };
  atEnd(() => {
    state.isOver = true;
    wake();
  });
  /** Seconds to wait; 0 if the packet was counted. */
  const count = (cost: number): number => {
    try {
      callers.count(holder, address, cost);
      return 0;
    } catch (cause) {
      return TelexError.from(cause).retryAfter ?? 1;
    }
  };
  const pause = (seconds: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(seconds * second, resolve);
    wake = () => {
      cancel();
      resolve();
    };
    return promise;
  };
  const wait = async (before: Promise<void> | null, cost: number, first: number): Promise<void> => {
    await before;
    let seconds = first;
    while (seconds > 0 && !state.isOver) {
      await pause(seconds);
      seconds = count(cost);
    }
  };
  return {
    pay(cost) {
      const seconds = turn === null ? count(cost) : 0;
      if (turn === null && seconds === 0) return null;
      const next = turn === null ? wait(null, cost, seconds) : turn.then(() => wait(null, cost, count(cost)));
      turn = next;
      void next.finally(() => {
        if (turn === next) turn = null;
      });
      return next;
    },
  };
}
