import type { GatewayLease, GatewayLeases } from "@telex/core";
import type { Kept } from "../link/keep-socket.ts";
import type { Link, LinkHooks, Role } from "../link/link.ts";
import { type RightHooks, createCount, admitLater } from "./admission.ts";

/** The right of this server to have the connections of an account. */
interface Right {
  /** Null before the start. */
  readonly lease: GatewayLease | null;
  /** Keeps a connection from Telex while this server has the right. */
  dial(start: () => Kept): void;
  /** Keeps a connection from Telex on each server. The one that has the right reports the state of the account. */
  share(start: () => Kept): void;
  /** The connection from Telex; null while this server has none. */
  readonly dialed: Kept | null;
  /**
   * Admits a connection when this server has the right, or closes it. Until then it is not read. A connection for events only needs no
   * right: a load balancer may pass it to another server than the one for actions.
   */
  admit(link: Link, role: Role, enter: () => LinkHooks): LinkHooks;
  close(): void;
}

/** `leases`: null before the start. */
export function createRight(account: string, leases: () => GatewayLeases | null, hooks: RightHooks): Right {
  let lease: GatewayLease | null = null;
  let start: (() => Kept) | null = null;
  let dialed: Kept | null = null;
  let isShared = false;
  const find = (): GatewayLease | null =>
    (lease ??=
      leases()?.open(account, {
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
    if (start === null && !isShared) void lease?.release();
  });
  const admit = (link: Link, enter: () => LinkHooks): LinkHooks =>
    isShared || find()?.isHeld === true
      ? enter()
      : admitLater(link, enter, { take, elsewhere: () => hooks.elsewhere() });
  return {
    get lease() {
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
      // A connection whose lease is still being taken must no longer connect.
      start = null;
      stop();
      void lease?.release();
    },
  };
}
