import { interfaceLimits } from "./interface-limits.ts";
import { day } from "../time/units.ts";

/** Limits that several capabilities use. */
export interface SharedLimits {
  /** Milliseconds during which a repeated nonce returns the first result. */
  readonly nonceLife: number;
  /** Code points of the texts of one room message. At most the default, which the interface fixes. */
  readonly messageText: number;
  /** Segments of one room message. At most the default, which the interface fixes. */
  readonly messageSegments: number;
}

/** The defaults of {@link SharedLimits}. */
export const sharedLimits: SharedLimits = {
  nonceLife: day,
  messageText: interfaceLimits.messageText,
  messageSegments: interfaceLimits.messageSegments,
};
