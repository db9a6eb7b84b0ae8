import type { Version } from "../wire/dialect.ts";
import type { Tongue } from "./tongue.ts";
import { actions11 } from "./v11/actions.ts";
import { event11, heartbeat11, lifecycle11 } from "./v11/events.ts";
import { actions12 } from "./v12/actions.ts";
import { event12, greeting12, heartbeat12 } from "./v12/events.ts";

/** Both versions. */
export const tongues: Readonly<Record<Version, Tongue>> = {
  11: {
    version: 11,
    actions: actions11,
    greeting: (actor, isSocket) => [lifecycle11(actor, isSocket ? "connect" : "enable")],
    heartbeat: heartbeat11,
    eventOf: event11,
  },
  12: { version: 12, actions: actions12, greeting: greeting12, heartbeat: heartbeat12, eventOf: event12 },
};
