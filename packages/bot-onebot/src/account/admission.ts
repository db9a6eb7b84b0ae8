import type { Link, LinkHooks } from "../link/link.ts";

/** Called when the right of this server to the connections of an account changes. */
export interface RightHooks {
  /** Another server may take the connections. */
  lost(): void;
  /** A connection was refused, because another server has one that is alive. */
  elsewhere(): void;
  /** This server takes the connections. */
  held(): void;
  /** True if the connection that takes actions is alive. */
  isAlive(): Promise<boolean>;
}

/** The close codes of a connection whose account another server has, and of one whose account cannot be determined. */
const closeCodes = { elsewhere: 4409, unknown: 1013 } as const;

/** Pauses a connection until it is admitted. */
function holdUp(link: Link) {
  let inner: LinkHooks | null = null;
  let isClosed = false;
  link.pause();
  return {
    hooks: {
      received: (...frame) => inner?.received(...frame),
      lost: (echo) => inner?.lost?.(echo),
      alive: () => inner?.alive(),
      closed() {
        isClosed = true;
        inner?.closed();
      },
    } satisfies LinkHooks,
    letIn(enter: () => LinkHooks): void {
      if (isClosed) return;
      // Resumed first: its slot may pause it again. Nothing is read before the next tick.
      link.resume();
      inner = enter();
    },
    refuse(code: number): void {
      link.resume();
      link.close(code);
    },
  };
}

/** Counts connections until they are closed, also those that wait for a slot. `none` is called when the last one was closed. */
export function createCount(none: () => void): (open: () => LinkHooks) => LinkHooks {
  let count = 0;
  return (open) => {
    count += 1;
    const hooks = open();
    return {
      ...hooks,
      closed() {
        hooks.closed();
        count -= 1;
        if (count === 0) none();
      },
    };
  };
}

interface LaterHooks extends Pick<RightHooks, "elsewhere"> {
  /** Resolves with true if this server has the right; null if that is unknown. */
  readonly take: () => Promise<boolean | null>;
}

/** Admits a connection when this server has the right. */
export function admitLater(link: Link, enter: () => LinkHooks, { take, elsewhere }: LaterHooks): LinkHooks {
  const held = holdUp(link);
  void take().then((isOurs) => {
    if (isOurs === true) return held.letIn(enter);
    if (isOurs === false) elsewhere();
    return held.refuse(isOurs === false ? closeCodes.elsewhere : closeCodes.unknown);
  });
  return held.hooks;
}
