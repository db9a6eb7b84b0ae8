import { styleText } from "node:util";
import type { DeviceView } from "@telex/core";
import type { Command } from "commander";
import { clientSettings, printResult, settingOptions, storageSettings, talkOf } from "../options/command.ts";
import { confirm, confirmed } from "../options/confirm.ts";
import { devicesOf } from "../devices/choose.ts";
import type { Place } from "../devices/choose.ts";
import type { DeviceHistory } from "../devices/verbs.ts";
import { readInteger } from "../options/read.ts";
import { explained } from "../errors/explain.ts";
import { deviceArguments, deviceWords } from "../options/device-id.ts";
import { print, printable, printableLines, printFields, printRows } from "../terminal/output.ts";

const places = `
With --url or --profile (or after telex login) this is about your own devices on a running server; otherwise, and with
--data or --storage, about those in the storage, as its operator. With --user and a token with the scope admin, --url and
--profile are about the devices of that user.

Examples:`;

const define = (command: Command, description: string, examples: string): Command =>
  settingOptions(command.description(description), [...clientSettings, ...storageSettings]).addHelpText(
    "after",
    `${places}${examples}`,
  );

const ofUser = ["--user <id>", "owner of the devices, as the operator or an admin"] as const;

/** `telex device list`, `history`, `rename`, `remove` and `pair` */
export function defineDevices(command: Command): void {
  defineList(command.command("list"));
  defineHistory(command.command("history"));
  defineRename(command.command("rename"));
  defineRemove(command.command("remove"));
  definePair(command.command("pair"));
}

/** Names the missing device in the error of a command. */
const named = async <T>(deviceId: string, work: Promise<T>): Promise<T> =>
  await explained(
    work,
    "device_not_found",
    `There is no device "${printable(deviceId)}". "telex device list" shows all devices.`,
  );

/** The room that a device prints, for a table. */
const roomOf = ({ room }: DeviceView): string | null =>
  room === undefined ? null : `${room.groupId}${room.mentions ? " (mentions)" : ""}`;

function showDevice(device: DeviceView): void {
  const { deviceId, name, online, lastSeen, createdAt, ai } = device;
  const room = roomOf(device);
  printFields({
    id: deviceId,
    name,
    online,
    lastSeen,
    createdAt,
    ...(ai !== undefined && { ai }),
    ...(room !== null && { room }),
  });
}

const deviceColumns = {
  id: ({ deviceId }: DeviceView) => deviceId,
  name: ({ name }: DeviceView) => name,
  online: ({ online }: DeviceView) => online,
  "last seen": ({ lastSeen }: DeviceView) => lastSeen,
  room: roomOf,
};

function defineList(command: Command): void {
  const examples = `
  $ telex device list --url https://telex.example --token-file token.txt
  $ telex device list --user 1
  $ telex device list --url https://telex.example --token-file admin.txt --user 1`;
  define(command, "List devices, last seen first", examples)
    .option(...ofUser)
    .action(async (place: Place) => {
      const devices = await (await devicesOf(command, place)).list();
      printResult(command, devices, () => printRows(devices, deviceColumns));
    });
}

interface HistoryOptions extends Place {
  readonly last: number;
  readonly cursor?: string;
}

function showHistory({ messages, nextPageCursor }: DeviceHistory, command: Command): void {
  for (const { id, createdAt, direction, delivered, content } of messages.toReversed()) {
    const state =
      direction === "from_device" ? "from the device" : delivered === 0 ? "waits for the device" : "delivered";
    print(styleText("dim", `${id}  ${createdAt}  ${state}`));
    for (const line of printableLines(content.replace(/\r?\n$/, ""))) print(line);
  }
  if (nextPageCursor !== null) talkOf(command).note(`There is more: --cursor ${nextPageCursor}`);
}

function defineHistory(command: Command): void {
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

function defineRename(command: Command): void {
  const examples = `
  $ telex device rename kitchen-printer "Kitchen, by the window"`;
  deviceArguments(define(command, "Rename a device", examples), { name: "1 to 64 characters" })
    .option(...ofUser)
    .action(async () => {
      const [deviceId = "", name = ""] = deviceWords(command);
      const devices = await devicesOf(command, command.opts<Place>());
      printResult(command, await named(deviceId, devices.rename({ deviceId, name })), showDevice);
    });
}

function defineRemove(command: Command): void {
  const examples = `
  $ telex device remove kitchen-printer`;
  deviceArguments(confirmed(define(command, "Free a device ID, and delete its texts", examples)))
    .option(...ofUser)
    .action(async () => {
      const [deviceId = ""] = deviceWords(command);
      const devices = await devicesOf(command, command.opts<Place>());
      await confirm(command, `Remove device ${printable(deviceId)}, and delete its texts?`);
      await named(deviceId, devices.remove(deviceId));
      printResult(command, { deviceId, removed: true }, () =>
        talkOf(command).done(`${printable(deviceId)} is removed, and its texts are deleted.`),
      );
    });
}

function definePair(command: Command): void {
  const examples = `
  $ telex device pair BCDF-GHJK
  $ telex device pair BCDF-GHJK --user 1`;
  confirmed(define(command, "Pair a device with a user: confirm the code that the device shows", examples))
    .argument("<code>", "8 letters")
    .option("--user <id>", "new owner of the device, as the operator or an admin")
    .action(async (code: string, place: Place) => {
      const warn = (replaces: string): Promise<void> =>
        confirm(command, `You already have this device, as ${printable(replaces)}: its earlier tokens end. Pair it?`);
      printResult(command, await (await devicesOf(command, place)).pair(code, warn), showDevice);
    });
}
