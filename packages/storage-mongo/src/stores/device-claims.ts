import {
  type DeviceClaim,
  type DeviceClaimed,
  type DeviceKey,
  type DeviceRecord,
  newDevice,
  type TeleprinterStore,
} from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import { removeMost } from "./parts.ts";
import type { Tx } from "../driver/transaction.ts";

export type DeviceDocument = Documents["devices"];

type Claim = DeviceClaim & Pick<Parameters<TeleprinterStore["claimDevice"]>[0], "ai" | "room" | "tags">;

/** The fields that a claim changes. */
export const settingOf = ({ ai, room, tags }: Claim): Partial<DeviceRecord> => ({
  ...(tags !== undefined && { tags: [...tags] }),
  ...(ai !== undefined && { ai }),
  ...(room !== undefined && {
    roomId: room?.groupId ?? null,
    roomMentions: room?.mentions ?? false,
    roomLife: room?.life ?? null,
  }),
});

/** Notes a sign of life. */
export const seen = (device: DeviceDocument, now: number): DeviceDocument => ({
  ...device,
  lastSeen: Math.max(device.lastSeen, now),
  away: false,
});

/** The filter for the documents of a device, on an index of ids that begin with it. */
export const ofDevice = (deviceId: string) => ({
  _id: { $gte: { a: deviceId, b: 0 }, $lt: { a: `${deviceId}\0`, b: 0 } },
});

/** Adds a device. Claims conflict with each other, because each reports a change, so the limit is exact. */
async function add(tx: Tx, claim: Claim): Promise<DeviceClaimed> {
  const { deviceId, name, owner, now, deviceLimit } = claim;
  if (deviceLimit !== undefined && (await tx.list("devices", { owner }, { limit: deviceLimit })).length >= deviceLimit)
    return { outcome: "full" };
  const floor = (await tx.find("deviceGenerations", deviceId))?.newest ?? 0;
  const born = { deviceId, name, owner, createdAt: now, lastSeen: now, away: false };
  const record: DeviceRecord = { ...newDevice, ...born, ...settingOf(claim) };
  tx.add("devices", { ...plain("devices", record), waiting: 0, newest: 0, floor });
  tx.report("device", deviceId);
  return { outcome: "claimed", device: record };
}

/** Assigns a free ID, or notes a sign of life of the caller's device and applies `renew`. */
export async function claimDevice(
  tx: Tx,
  claim: Claim,
  renew: (device: DeviceDocument) => DeviceDocument,
): Promise<DeviceClaimed> {
  const before = await tx.find("devices", claim.deviceId);
  if (before === null) return claim.deviceLimit === 0 ? { outcome: "full" } : add(tx, claim);
  if (before.owner !== claim.owner) return { outcome: "taken" };
  const device = renew(seen(before, claim.now));
  tx.put("devices", device);
  return { outcome: "renewed", device: recordOf("devices", device) };
}

async function raiseGeneration(tx: Tx, deviceId: string, newest: number): Promise<void> {
  const before = await tx.find("deviceGenerations", deviceId);
  const generation = (before?.generation ?? 0) + 1;
  const document = { ...plain("deviceGenerations", { deviceId, generation }), newest: before?.newest ?? 0 };
  tx.put("deviceGenerations", { ...document, newest: Math.max(newest, document.newest) });
}

export async function pair(tx: Tx, claim: DeviceClaim): Promise<DeviceClaimed> {
  const claimed = await claimDevice(tx, claim, (device) => device);
  if (!("device" in claimed)) return claimed;
  await raiseGeneration(tx, claim.deviceId, 0);
  tx.report("device", claim.deviceId);
  return claimed;
}

export async function release(
  tx: Tx,
  { deviceId, newest, floor }: DeviceDocument,
): Promise<{ readonly outcome: "released" }> {
  await raiseGeneration(tx, deviceId, Math.max(newest, floor));
  tx.drop("devices", deviceId);
  await tx.dropAll("deviceMessages", ofDevice(deviceId));
  await tx.dropAll("deviceNonces", ofDevice(deviceId));
  await tx.dropAll("deviceSchedules", ofDevice(deviceId));
  tx.report("device", deviceId);
  return { outcome: "released" };
}

/** Removes most documents of a device before its owner releases it. Waiting messages stay, because the device counts them. */
export async function removeMostOf(deps: StoreDeps, { deviceId, owner }: DeviceKey): Promise<void> {
  const own = await deps.batches.single(() => collectionOf(deps.db, "devices").findOne({ _id: deviceId, owner }));
  if (own === null) return;
  await removeMost(deps, "deviceMessages", { ...ofDevice(deviceId), delivered: true });
  await removeMost(deps, "deviceNonces", ofDevice(deviceId));
}
