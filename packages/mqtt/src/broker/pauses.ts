import type { Telex } from "@telex/core";

/** Pauses between two attempts, which can be ended. Only one caller may wait at a time. */
export function createPauses({ clock }: Telex) {
  const state = { isOver: false, wake: (): void => {} };
  return {
    isOver: () => state.isOver,
    /** Resolves with false at the end. */
    async wait(time: number): Promise<boolean> {
      if (state.isOver) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(time, resolve);
      state.wake = () => {
        cancel();
        resolve();
      };
      await promise;
      return !state.isOver;
    },
    end(): void {
      state.isOver = true;
      state.wake();
    },
  };
}
