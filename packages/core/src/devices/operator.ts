import { actingFor } from "../contract/caller.ts";
import type { Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import type { PairingContract } from "../pairing/contract.ts";
import type { TeleprinterContract } from "../teleprinter/contract.ts";
import type { TeleprinterStore } from "../teleprinter/store.ts";
import type { DeviceAdminContract } from "./contract.ts";

interface DevicesOperatorDeps {
  readonly store: Pick<TeleprinterStore, "findDevice">;
  readonly findUser: (userId: number) => Promise<object | null>;
  readonly service: Implementation<TeleprinterContract>;
  readonly pairing: Implementation<PairingContract>;
}

/** What the operator does with devices: what their owner would do. */
export function createDevicesOperator(deps: DevicesOperatorDeps): Implementation<DeviceAdminContract> {
  const { store, service, pairing } = deps;
  const assertUser = async (userId: number): Promise<void> => {
    if ((await deps.findUser(userId)) === null) throw new TelexError("user_not_found");
  };
  const ownerOf = async (deviceId: string): Promise<number> => {
    const device = await store.findDevice(deviceId);
    if (device === null) throw new TelexError("device_not_found", { params: { deviceId } });
    return device.owner;
  };
  return {
    async list(_operator, { userId }, context) {
      await assertUser(userId);
      const devices = await service.devices(actingFor(userId), {}, context);
      return devices.map((device) => ({ ...device, userId }));
    },
    async messages(_operator, input, context) {
      return await service.messages(actingFor(await ownerOf(input.deviceId)), input, context);
    },
    async rename(_operator, input, context) {
      const userId = await ownerOf(input.deviceId);
      return { ...(await service.rename(actingFor(userId), input, context)), userId };
    },
    async remove(_operator, input, context) {
      return await service.unregister(actingFor(await ownerOf(input.deviceId)), input, context);
    },
    async pair(_operator, { userId, code }, context) {
      await assertUser(userId);
      await pairing.pairing(actingFor(userId), { code }, context);
      return { ...(await pairing.confirmPairing(actingFor(userId), { code }, context)), userId };
    },
  };
}
