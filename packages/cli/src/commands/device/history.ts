import { styleText } from "node:util";
import type { Command } from "commander";
import { clientSettings, printResult, settingOptions, storageSettings, talkOf } from "../../options/command.ts";
import { devicesOf } from "../../devices/choose.ts";
import type { DeviceOptions } from "../../devices/choose.ts";
import type { DeviceHistory } from "../../devices/verbs.ts";
import { readInteger } from "../../options/read.ts";
import { explained } from "../../errors/explain.ts";
import { deviceArguments, deviceWords } from "../../options/device-id.ts";
import { print, printable, printableLines } from "../../terminal/output.ts";

const places = `
With --url or --profile (or after telex login) this is about your own devices on a running server; otherwise, and with
--data or --storage, about those in the storage, as its operator. With --user and a token with the scope admin, --url and
--profile are about the devices of that user.

Examples:`;

export const define = (command: Command, description: string, examples: string): Command =>
  settingOptions(command.description(description), [...clientSettings, ...storageSettings]).addHelpText(
    "after",
    `${places}${examples}`,
  );

export const ofUser = ["--user <id>", "owner of the devices, as the operator or an admin"] as const;

/** Names the missing device in the error of a command. */
export const named = async <T>(deviceId: string, work: Promise<T>): Promise<T> =>
  await explained(
    work,
    "device_not_found",
    `There is no device "${printable(deviceId)}". "telex device list" shows all devices.`,
  );

interface HistoryOptions extends DeviceOptions {
  readonly last: number;
  readonly cursor?: string;
}

function showHistory({ messages, nextPageCursor }: DeviceHistory, command: Command): void {
  for (const { id, createdAt, direction, delivered, content, state, title } of messages.toReversed()) {
    const usual = delivered === 0 ? "waits for the device" : "delivered";
    const shown =
      direction === "from_device" ? "from the device" : state === undefined || state === "waiting" ? usual : state;
    print(styleText("dim", `${id}  ${createdAt}  ${shown}`));
    if (title !== undefined) print(styleText("bold", printable(title)));
    for (const line of printableLines(content.replace(/\r?\n$/, ""))) print(line);
  }
  if (nextPageCursor !== null) talkOf(command).note(`There is more: --cursor ${nextPageCursor}`);
}

export function defineHistory(command: Command): void {
  const examples = `
  $ telex device history kitchen-printer --last 5`;
  deviceArguments(define(command, "Show the texts to and from a device; the newest one last", examples))
    .option("--last <n>", "texts to show, 1 to 100", readInteger(1, 100), 20)
    .option("--cursor <id>", "only texts below this id")
    .option(...ofUser)
    .action(async () => {
      const { last, cursor, ...place } = command.opts<HistoryOptions>();
      const [deviceId = ""] = deviceWords(command);
      const request = { deviceId, pageSize: last, ...(cursor !== undefined && { cursor }) };
      const history = await named(deviceId, (await devicesOf(command, place)).history(request));
      printResult(command, history, () => showHistory(history, command));
    });
}
