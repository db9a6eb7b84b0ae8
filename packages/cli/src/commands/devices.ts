import type { DeviceView } from "@telex/core";
import type { Command } from "commander";
import { clientSettings, printResult, settingOptions, storageSettings, talkOf } from "../options/command.ts";
import { confirm, confirmed } from "../options/confirm.ts";
import { devicesOf } from "../devices/choose.ts";
import type { Place } from "../devices/choose.ts";
import type { DeviceHistory } from "../devices/verbs.ts";
import { readInteger } from "../options/read.ts";
import { printable, printFields, printRows } from "../terminal/output.ts";

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
  printRows(messages.toReversed(), {
    id: ({ id }) => id,
    time: ({ createdAt }) => createdAt,
    from: ({ direction }) => (direction === "from_device" ? "device" : "user"),
    waits: ({ delivered }) => delivered === 0,
    text: ({ content }) => content,
  });
  if (nextPageCursor !== null) talkOf(command).note(`There is more: --cursor ${nextPageCursor}`);
}

function defineHistory(command: Command): void {
  const examples = `
  $ telex device history kitchen-printer --last 5`;
  define(command, "Show what was said to and by a device; the newest text last", examples)
    .argument("<id>", "device ID")
    .option("--last <n>", "texts to show, 1 to 100", readInteger(1, 100), 20)
    .option("--cursor <id>", "only texts below this id")
    .option(...ofUser)
    .action(async (deviceId: string, { last, cursor, ...place }: HistoryOptions) => {
      const request = { deviceId, pageSize: last, ...(cursor !== undefined && { cursor }) };
      const history = await (await devicesOf(command, place)).history(request);
      printResult(command, history, () => showHistory(history, command));
    });
}

function defineRename(command: Command): void {
  const examples = `
  $ telex device rename kitchen-printer "Kitchen, by the window"`;
  define(command, "Rename a device", examples)
    .argument("<id>", "device ID")
    .argument("<name>", "1 to 64 characters")
    .option(...ofUser)
    .action(async (deviceId: string, name: string, place: Place) => {
      printResult(command, await (await devicesOf(command, place)).rename({ deviceId, name }), showDevice);
    });
}

function defineRemove(command: Command): void {
  const examples = `
  $ telex device remove kitchen-printer`;
  confirmed(define(command, "Free a device ID, and delete its texts", examples))
    .argument("<id>", "device ID")
    .option(...ofUser)
    .action(async (deviceId: string, place: Place) => {
      const devices = await devicesOf(command, place);
      await confirm(command, `Remove device ${printable(deviceId)}, and delete its texts?`);
      await devices.remove(deviceId);
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
