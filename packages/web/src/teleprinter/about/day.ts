import type { DeviceMessageView } from "@telex/core";
import type { Server } from "../../server/server.ts";
import { isOver } from "../state/message.ts";

/** The number of texts in one hour. */
interface Hour {
  readonly to: number;
  readonly from: number;
}

/** The last 24 hours of a device, and the texts that wait for it. */
export interface Day {
  /** 24 hours, the oldest first. */
  readonly hours: readonly Hour[];
  readonly waiting: number;
  /** False if the device has more texts than were fetched. Then the counts are minimums. */
  readonly isComplete: boolean;
}

const hour = 3_600_000;
const hoursOfDay = 24;
const pageSize = 100;
/** The maximum number of pages that are fetched. */
const mostPages = 5;

const waits = ({ direction, ...text }: DeviceMessageView): boolean =>
  direction === "to_device" && text.delivered === 0 && !isOver(text);

/**
 * Counts texts.
 * @param now Unix milliseconds
 */
export function countDay(messages: readonly DeviceMessageView[], now: number): Pick<Day, "hours" | "waiting"> {
  const agesOf = (wanted: DeviceMessageView["direction"]): readonly number[] =>
    messages
      .filter(({ direction }) => direction === wanted)
      .map(({ createdAt }) => Math.max(0, Math.floor((now - Date.parse(createdAt)) / hour)));
  const [to, from] = [agesOf("to_device"), agesOf("from_device")];
  const hours = Array.from({ length: hoursOfDay }, (_, index): Hour => {
    const countOf = (ages: readonly number[]): number => ages.filter((age) => age === hoursOfDay - 1 - index).length;
    return { to: countOf(to), from: countOf(from) };
  });
  return { hours, waiting: messages.filter(waits).length };
}

/**
 * Fetches the newest texts of a device: those of the last 24 hours, but at most 500.
 * @throws the errors of the server
 */
export async function readDay(
  page: Server["teleprinter"]["messages"],
  { deviceId, now }: { readonly deviceId: string; readonly now: number },
): Promise<Day> {
  const messages: DeviceMessageView[] = [];
  for (let pages = 0; pages < mostPages; pages += 1) {
    const cursor = messages.at(-1)?.id;
    const part = await page({ deviceId, pageSize, ...(cursor === undefined ? {} : { cursor }) });
    messages.push(...part.messages);
    const oldest = messages.at(-1);
    const isRead = oldest === undefined || (Date.parse(oldest.createdAt) < now - hoursOfDay * hour && !waits(oldest));
    if (part.nextPageCursor === null || isRead) return { ...countDay(messages, now), isComplete: true };
  }
  return { ...countDay(messages, now), isComplete: false };
}
