import { z } from "zod";
import { defineContract, id, idOut } from "@telex/ground/contract";
import { device, deviceId, teleprinterContract } from "../teleprinter/contract.ts";
import { pairingContract } from "../pairing/contract.ts";

/** A device as the operator sees it. */
const ownedDevice = device.extend({ userId: idOut.meta({ description: "The owner of the device." }) });

const { messages, rename, unregister } = teleprinterContract;
const { confirmPairing } = pairingContract;

const owner = id
  .optional()
  .meta({ description: "The owner of the device. If it is given, other devices are refused." });

/** Operations of the operator on the devices of users. */
export const deviceAdminContract = defineContract({
  list: {
    summary: "Lists the devices of a user, last seen first.",
    access: "operator",
    input: z.object({ userId: id }),
    output: z.array(ownedDevice),
    errors: ["user_not_found"],
  },
  messages: {
    summary: "Pages through the texts of a device, newest first, without those that were said in a chat room as well.",
    access: "operator",
    input: messages.input.extend({ userId: owner }),
    output: messages.output,
    errors: messages.errors,
    event: "device.read",
  },
  rename: {
    summary: rename.summary,
    access: "operator",
    input: rename.input.extend({ userId: owner }),
    output: ownedDevice,
    errors: rename.errors,
    event: "device.changed",
  },
  remove: {
    summary: unregister.summary,
    access: "operator",
    input: z.object({ deviceId, userId: owner }),
    output: z.null(),
    errors: unregister.errors,
    event: "device.unregistered",
  },
  pair: {
    summary: "Confirms the code that a device shows. Afterwards the user owns the device.",
    access: "operator",
    input: confirmPairing.input.extend({ userId: id }),
    output: ownedDevice,
    errors: ["user_not_found", ...confirmPairing.errors],
    event: "pairing.confirmed",
  },
});

export interface DeviceAdminContract extends Readonly<typeof deviceAdminContract> {}
