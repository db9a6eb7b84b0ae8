import type { GatewayHold, GatewayHolds } from "@telex/core";
import type { Kept } from "../link/keep-socket.ts";
import type { Link, LinkHooks, Role } from "../link/link.ts";

/** Called when the right of this server to the connections of an account changes. */
interface RightHooks {
  /** Another server may take the connections. */
  lost(): void;
  /** A connection was refused, because another server has one that is alive. */
  elsewhere(): void;
  /** This server takes the connections. */
  held(): void;
  /** True if the connection that takes actions is alive. */
  isAlive(): Promise<boolean>;
}

/** The close codes of a connection whose account another server has, and of one whose account cannot be asked for. */
const closeCodes = { elsewhere: 4409, unknown: 1013 } as const;

/** The right of this server to have the connections of an account. */
interface Right {
  /** Null before the start. */
  readonly hold: GatewayHold | null;
  /** Keeps a connection of Telex's own for as long as this server has the right. */
  dial(start: () => Kept): void;
  /** Keeps a connection of Telex's own on each server. The one that has the right says how the account is. */
  share(start: () => Kept): void;
  /** The connection of Telex's own; null while this server has none. */
  readonly dialed: Kept | null;
  /**
   * Lets a connection in when this server has the right, or closes it. Until then it is not read. One that only brings events needs no
   * right: a load balancer may give it to another server than the one for actions.
   */
  admit(link: Link, role: Role, enter: () => LinkHooks): LinkHooks;
  close(): void;
}

/** A connection that is not read until it is let in. */
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
      // First: the place may hold it up again. Nothing is read before the next tick.
      link.resume();
      inner = enter();
    },
    refuse(code: number): void {
      link.resume();
      link.close(code);
    },
  };
}

/** Counts connections until they are closed, also those that wait for a place. `none`: the last one was closed. */
function createCount(none: () => void): (open: () => LinkHooks) => LinkHooks {
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
  /** Resolves with whether this server has the right; null if nobody knows. */
  readonly take: () => Promise<boolean | null>;
}

/** Lets a connection in when this server has got the right. */
function admitLater(link: Link, enter: () => LinkHooks, { take, elsewhere }: LaterHooks): LinkHooks {
  const held = holdUp(link);
  void take().then((isOurs) => {
    if (isOurs === true) return held.letIn(enter);
    if (isOurs === false) elsewhere();
    return held.refuse(isOurs === false ? closeCodes.elsewhere : closeCodes.unknown);
  });
  return held.hooks;
}

/** `holds`: null before the start. */
export function createRight(account: string, holds: () => GatewayHolds | null, hooks: RightHooks): Right {
  let hold: GatewayHold | null = null;
  let start: (() => Kept) | null = null;
  let dialed: Kept | null = null;
  let isShared = false;
  const find = (): GatewayHold | null =>
    (hold ??=
      holds()?.open(account, {
        held() {
          dialed ??= start?.() ?? null;
          hooks.held();
        },
        isAlive: () => hooks.isAlive(),
        lost() {
          if (isShared) return;
          stop();
          hooks.lost();
        },
      }) ?? null);
  const stop = (): void => {
    dialed?.stop();
    dialed = null;
  };
  const take = async (): Promise<boolean | null> =>
    (await find()
      ?.take()
      .catch(() => null)) ?? null;
  const counted = createCount(() => {
    // Another server may have the next connection.
    if (start === null && !isShared) void hold?.release();
  });
  const admit = (link: Link, enter: () => LinkHooks): LinkHooks =>
    isShared || find()?.isHeld === true
      ? enter()
      : admitLater(link, enter, { take, elsewhere: () => hooks.elsewhere() });
  return {
    get hold() {
      return find();
    },
    get dialed() {
      return dialed;
    },
    dial(given) {
      start = given;
      find()?.keep();
    },
    share(given) {
      isShared = true;
      find()?.keep();
      dialed = given();
    },
    admit: (link, role, enter) => (role === "event" && find() !== null ? enter() : counted(() => admit(link, enter))),
    close() {
      // A connection that is still being taken must not connect any more.
      start = null;
      stop();
      void hold?.release();
    },
  };
}
