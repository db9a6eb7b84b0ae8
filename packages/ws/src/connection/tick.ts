function createTickCount(): () => number {
  let tick = 0;
  let isCounted = false;
  const endTick = (): void => {
    tick += 1;
    isCounted = false;
  };
  return () => {
    if (!isCounted) setImmediate(endTick);
    isCounted = true;
    return tick;
  };
}

/**
 * The number of this tick of the event loop. Ticks in which nobody asks are not counted, so that an idle process stays idle. All servers of a process
 * share it, as they share the event loop.
 */
export const currentTick: () => number = createTickCount();
