import { minute, second } from "../time/units.ts";

/** The limits of models and their replies. */
export interface AiLimits {
  /**
   * Milliseconds after which another server settles and keeps the reply of a killed one. Each server renews that five times as often, and
   * then stores the texts of its replies so far. At least 15 s if the clocks of the servers may differ by 5 s.
   */
  readonly replyLease: number;
  /** Milliseconds after which the reservation of a call of an embedding model that never settled is free again. */
  readonly reservationLife: number;
  /** Milliseconds that a reply or a call of an embedding model may take; less than `reservationLife`. */
  readonly replyTime: number;
  /** Turns of a conversation that are read for a prompt. */
  readonly chatTurns: number;
}

/** The default of each limit. */
export const aiLimits: AiLimits = {
  replyLease: 15 * second,
  reservationLife: 15 * minute,
  replyTime: 10 * minute,
  chatTurns: 100,
};
