import type { DeviceMessageView } from "@telex/core";
import { jsonText, printableLines } from "../../terminal/output.ts";
import { type ReceivingDevice, receiveTexts } from "./receive.ts";

/** Resolves when standard output has accepted the text, so that a text lost in a closed pipe is not acknowledged. */
const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

const shown = (text: DeviceMessageView, json: boolean): string =>
  json
    ? jsonText(text)
    : [text.title ?? [], text.content.replace(/\r?\n$/, "")].flat().flatMap(printableLines).join("\n");

/** Prints each text of a device, until `stop` aborts. */
export async function listen(receiving: ReceivingDevice, json: boolean, stop: AbortSignal): Promise<void> {
  await receiveTexts(receiving, ({ text }) => write(`${shown(text, json)}\n`), stop);
}
