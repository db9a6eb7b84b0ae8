import { expect, it } from "vitest";
import { sharedLimits } from "@telex/ground/contract";
import { ratesLimits } from "@telex/ground/rates";
import { aiLimits } from "../ai/limits.ts";
import { imagesLimits } from "@telex/files/images";
import { avatarsLimits, bucketLimits } from "@telex/files/limits";
import { gatewaysLimits } from "../gateways/limits.ts";
import { groupsLimits } from "../groups/limits.ts";
import { leasesLimits } from "@telex/ground/leases";
import { messagesLimits } from "../messages/limits.ts";
import { pairingLimits } from "../pairing/limits.ts";
import { roomsLimits } from "../rooms/limits.ts";
import { teleprinterLimits } from "../teleprinter/limits.ts";
import { usersLimits } from "../users/limits.ts";
import { defaultLimits } from "./limits.ts";

const declared = {
  aiLimits,
  avatarsLimits,
  bucketLimits,
  gatewaysLimits,
  groupsLimits,
  imagesLimits,
  leasesLimits,
  messagesLimits,
  pairingLimits,
  ratesLimits,
  roomsLimits,
  sharedLimits,
  teleprinterLimits,
  usersLimits,
};

it("each limit is declared once, and counts as its capability declares it", () => {
  const names = Object.values(declared).flatMap((limits) => Object.keys(limits));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  for (const limits of Object.values(declared)) expect(defaultLimits).toMatchObject(limits);
});
