import type { z } from "zod";
import { actingFor, actingForAdmin, type Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { PairingContract } from "../pairing/contract.ts";
import type { TeleprinterContract } from "../teleprinter/contract.ts";
import type { TeleprinterStore } from "../teleprinter/store.ts";
import type { DeviceAdminContract } from "./contract.ts";

/** A device, and its owner if the operator says who that is. */
interface DeviceKey {
  readonly deviceId: string;
  readonly userId?: number | undefined;
}

interface DevicesOperatorDeps {
  readonly store: Pick<TeleprinterStore, "findDevice">;
  readonly findUser: (userId: number) => Promise<object | null>;
  readonly service: Implementation<TeleprinterContract>;
  /** The texts of a device that were not said in a room. */
  readonly pageOwnTexts: (
    owner: number,
    input: z.output<TeleprinterContract["messages"]["input"]>,
  ) => Promise<z.output<TeleprinterContract["messages"]["output"]>>;
  readonly pairing: Implementation<PairingContract>;
}

async function assertUser({ findUser }: DevicesOperatorDeps, userId: number): Promise<void> {
  if ((await findUser(userId)) === null) throw new TelexError("user_not_found");
}

async function ownerOf({ store }: DevicesOperatorDeps, { deviceId, userId }: DeviceKey): Promise<number> {
  const device = await store.findDevice(deviceId);
  if (device === null) throw new TelexError("device_not_found", { params: { deviceId } });
  if (userId !== undefined && userId !== device.owner) throw new TelexError("not_owner", { params: { deviceId } });
  return device.owner;
}

export const createDevicesOperator = (deps: DevicesOperatorDeps): Implementation<DeviceAdminContract> => ({
  async list(_operator, { userId }, context) {
    await assertUser(deps, userId);
    const devices = await deps.service.devices(actingFor(userId), {}, context);
    return devices.map((device) => ({ ...device, userId }));
  },
  async messages(_operator, input) {
    return await deps.pageOwnTexts(await ownerOf(deps, input), input);
  },
  async rename(_operator, input, context) {
    const userId = await ownerOf(deps, input);
    return { ...(await deps.service.rename(actingFor(userId), input, context)), userId };
  },
  async remove(_operator, input, context) {
    return await deps.service.unregister(actingFor(await ownerOf(deps, input)), input, context);
  },
  async pair(caller, { userId, code }, context) {
    await assertUser(deps, userId);
    await deps.pairing.pairing(actingFor(userId), { code }, context);
    return { ...(await deps.pairing.confirmPairing(actingForAdmin(userId, caller), { code }, context)), userId };
  },
});
