import { minute, second } from "@telex/ground/time";

export const aiLimits = {
  /**
   * Milliseconds after which another server settles and keeps the reply of a killed one. Each server renews that five times as often, and
   * then stores the texts of its replies so far. At least 15 s if the clocks of the servers may differ by 5 s.
   */
  replyLease: 15 * second,
  /** Milliseconds after which the reservation of a call of an embedding model that never settled is free again. */
  reservationLife: 15 * minute,
  /** Milliseconds that a reply or a call of an embedding model may take; less than `reservationLife`. */
  replyTime: 10 * minute,
  /** Turns of a conversation that are read for a prompt. */
  chatTurns: 100,
};

export interface AiLimits extends Readonly<typeof aiLimits> {}
