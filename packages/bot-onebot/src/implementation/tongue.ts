import type { Version } from "../wire/dialect.ts";
import type { Run } from "./actions/action.ts";
import type { Actor } from "./context.ts";
import type { Happening } from "./happenings.ts";

/** Milliseconds from one heartbeat to the next. */
export const heartbeatInterval = 15_000;

/** The name of the implementation. */
export const implementation = "telex";

/** How an implementation speaks a version of OneBot. */
export interface Tongue {
  readonly version: Version;
  /** By name. */
  readonly actions: ReadonlyMap<string, Run>;
  /** The first events of a connection, or (if events go out as requests) before the first request. */
  greeting(actor: Actor, isSocket: boolean): readonly object[];
  heartbeat(actor: Actor): object;
  /** A happening as an event. */
  eventOf(actor: Actor, happening: Happening): object;
}
