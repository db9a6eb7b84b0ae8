import type { LinkRecord } from "@telex/core/storage";
import { z } from "zod";
import type { Seal } from "../oauth/seal.ts";

/** The kind of link as which subscriptions are stored. */
export const kind = "push";

const subscriptionData = z.object({
  sessionId: z.string(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  text: z.boolean(),
  texts: z.boolean(),
  offline: z.int().nullable(),
});

/** The choices of a browser. */
export interface SubscriptionData extends Readonly<z.output<typeof subscriptionData>> {}

/** The subscription of a browser. */
export interface Subscription extends SubscriptionData {
  readonly id: string;
  readonly userId: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Ids begin with the time, so that new ones of all servers are at the end of the list. */
export const idAt = (at: number): string => `${String(at).padStart(15, "0")}-`;

/** Reads the subscription of a link; null if it has ended, or was sealed with another key. */
export function readSubscription(link: LinkRecord, seal: Seal): Subscription | null {
  const { linkId, makerId, createdAt, data } = link;
  if (makerId === null || link.revokedAt !== null) return null;
  try {
    return { id: linkId, userId: makerId, createdAt, ...subscriptionData.parse(JSON.parse(seal.open(data))) };
  } catch {
    return null;
  }
}
