import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import { type Clock, day, second, type Zone } from "@telex/ground/time";
import type { DeviceMessageView, TeleprinterContract } from "../contract.ts";
import type { TeleprinterLimits } from "../limits.ts";
import { refusal } from "../refusal.ts";
import type { DeviceKey, TeleprinterStore } from "../store.ts";
import type { DeviceScheduleRecord } from "../../records/teleprinter.ts";
import { scheduleView } from "../view.ts";

interface ScheduleDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: TeleprinterLimits;
}

type SendInput = z.output<TeleprinterContract["send"]["input"]>;

/** Milliseconds that a text may be scheduled ahead. */
const farthest = 366 * day;

/** The same nonce gives the same id: 48 bits, so that every client can read it as a number. */
function idOf(deviceId: string, nonce: string | undefined): number {
  const bytes = nonce === undefined ? randomBytes(6) : createHash("sha256").update(`${deviceId}/${nonce}`).digest();
  return Math.max(1, bytes.readUIntBE(0, 6));
}

/**
 * Stores a text that is sent at `at` (Unix milliseconds).
 * @throws TelexError `invalid_request`, `quota_exceeded`, `nonce_conflict`, `device_not_found`, `not_owner`
 */
export async function scheduleText(
  { store, clock, zone, limits }: ScheduleDeps,
  owner: number,
  { deviceId, content, nonce, title, via, priority, life }: SendInput,
  at: number,
): Promise<DeviceMessageView> {
  const now = clock.now();
  if (at - now > farthest)
    throw new TelexError("invalid_request", { issues: [{ path: "at", problem: "moment_far", params: {} }] });
  const scheduled = await store.schedule({
    deviceId,
    owner,
    content,
    priority,
    at,
    title: title ?? null,
    via: via?.name ?? null,
    id: idOf(deviceId, nonce),
    life: life === undefined ? null : life * second,
    createdAt: now,
    nonce: nonce ?? null,
    deviceLimit: limits.deviceSchedules,
    ownerLimit: limits.schedulesPerUser,
  });
  if (scheduled.outcome === "nonce_conflict") throw new TelexError("nonce_conflict");
  if (scheduled.outcome === "full") {
    const params = { max: limits.deviceSchedules };
    throw new TelexError("quota_exceeded", { reason: "schedules_too_many", params, retryAfter: 3600 });
  }
  if (!("schedule" in scheduled)) throw refusal(scheduled, deviceId);
  return scheduleView(scheduled.schedule, zone);
}

/** @throws TelexError `device_not_found`, `not_owner` */
export async function listSchedules({ store, zone }: ScheduleDeps, key: DeviceKey): Promise<DeviceMessageView[]> {
  const listed = await store.listSchedules(key);
  if (listed.outcome !== "schedules") throw refusal(listed, key.deviceId);
  return listed.schedules.map((schedule) => scheduleView(schedule, zone));
}

/** @throws TelexError `not_found`, `device_not_found`, `not_owner` */
export async function unschedule({ store }: ScheduleDeps, key: DeviceKey & { readonly id: number }): Promise<null> {
  const ended = await store.unschedule(key);
  if (ended.outcome === "absent") throw new TelexError("not_found");
  if (ended.outcome !== "unscheduled") throw refusal(ended, key.deviceId);
  return null;
}

interface DueDeps extends ScheduleDeps {
  readonly log: Logger;
  /** Sends a text as if it were sent now. `isKnown`: its nonce already names another text, and does not count. */
  readonly send: (schedule: DeviceScheduleRecord, isKnown: boolean) => Promise<unknown>;
}

/** Texts that are read, or ended, together. */
const batch = 100;

/** Of several servers that send the same text, one does. The others learn that when they try. */
async function sendDue({ send, log }: DueDeps, schedule: DeviceScheduleRecord): Promise<void> {
  try {
    await send(schedule, false).catch((cause: unknown) => {
      if (TelexError.from(cause).code !== "nonce_conflict") throw cause;
      return send(schedule, true);
    });
  } catch (cause) {
    const { code } = TelexError.from(cause);
    // Another server has sent it, or its device is gone, and its schedules with it.
    if (code !== "not_found" && code !== "device_not_found" && code !== "not_owner") throw cause;
    log.info("device.schedule_gone", { deviceId: schedule.deviceId });
  }
}

async function sweep(deps: DueDeps): Promise<void> {
  const { store, clock, limits } = deps;
  const now = clock.now();
  for (;;) {
    const due = await store.listDue({ now, limit: batch });
    for (const schedule of due) await sendDue(deps, schedule);
    if (due.length < batch) break;
  }
  const before = now - limits.deviceLifeGrace;
  while ((await store.expireTexts({ before, limit: batch })) === batch);
}

/** Sends the texts that are due, and ends those that have expired, one run at a time. Call it each second. Never throws. */
export function createDueTexts(deps: DueDeps): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    sweep(deps)
      .catch((cause: unknown) => deps.log.error("device.schedule_failed", {}, cause))
      .finally(() => (isRunning = false));
  };
}
