import { sharedLimits, type SharedLimits } from "@telex/ground/contract";
import { ratesLimits, type RatesLimits } from "@telex/ground/rates";
import { second } from "@telex/ground/time";
import { type AiLimits, aiLimits } from "../ai/limits.ts";
import { type ImagesLimits, imagesLimits } from "@telex/files/images";
import { type AvatarsLimits, avatarsLimits, type BucketLimits, bucketLimits } from "@telex/files/limits";
import { type GatewaysLimits, gatewaysLimits } from "../gateways/limits.ts";
import { type GroupsLimits, groupsLimits } from "../groups/limits.ts";
import { type LeasesLimits, leasesLimits } from "@telex/ground/leases";
import { type MessagesLimits, messagesLimits } from "../messages/limits.ts";
import { type PairingLimits, pairingLimits } from "../pairing/limits.ts";
import { type RoomsLimits, roomsLimits } from "../rooms/limits.ts";
import { type TeleprinterLimits, teleprinterLimits } from "../teleprinter/limits.ts";
import { type UsersLimits, usersLimits } from "../users/limits.ts";

/**
 * The numbers that an installation can change, with their units, over all transports. Each is checked before the cost arises that it
 * limits. `createTelex({ limits })` changes single ones. What one transport limits is an option of that transport:
 * `createHttp(telex, { limits })`, `createWs(telex, { limits })`.
 */
export interface Limits
  extends
    AiLimits,
    AvatarsLimits,
    BucketLimits,
    SharedLimits,
    GatewaysLimits,
    GroupsLimits,
    ImagesLimits,
    LeasesLimits,
    MessagesLimits,
    PairingLimits,
    RatesLimits,
    RoomsLimits,
    TeleprinterLimits,
    UsersLimits {
  /** Milliseconds between checks for expired and revoked tokens and for changes by other processes. */
  readonly watchInterval: number;
  /** Milliseconds that closing waits for work in progress, and then for the end of each plug-in. */
  readonly closeWait: number;
}

/** The limits of the interface, and the defaults of those it leaves open. */
export const defaultLimits: Limits = {
  ...aiLimits,
  ...avatarsLimits,
  ...bucketLimits,
  ...sharedLimits,
  ...gatewaysLimits,
  ...groupsLimits,
  ...imagesLimits,
  ...leasesLimits,
  ...messagesLimits,
  ...pairingLimits,
  ...ratesLimits,
  ...roomsLimits,
  ...teleprinterLimits,
  ...usersLimits,
  watchInterval: second / 4,
  closeWait: 4 * second,
};
