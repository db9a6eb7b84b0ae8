import type { DeviceMessageRecord } from "../records/teleprinter.ts";
import type { DeviceAppend } from "./store.ts";

/**
 * For storages: true if a text is a new one although its nonce names another one.
 * @param named the text that the nonce names; null if it names none
 */
export const isNewText = (
  { nonceReuse, content }: DeviceAppend,
  named: Pick<DeviceMessageRecord, "content"> | null,
): boolean => nonceReuse === "new" || (nonceReuse === "same" && named?.content !== content);
