import type { DeviceView } from "@telex/core";
import type { Command } from "commander";
import { printResult, talkOf } from "../../options/command.ts";
import { confirm, confirmed } from "../../options/confirm.ts";
import { devicesOf } from "../../devices/choose.ts";
import type { DeviceOptions } from "../../devices/choose.ts";
import { deviceArguments, deviceWords } from "../../options/device-id.ts";
import { printable, printFields, printRows } from "../../terminal/output.ts";
import { define, ofUser, named, defineHistory } from "./history.ts";

/** `telex device list`, `history`, `rename`, `tag`, `remove` and `pair` */
export function defineDevices(command: Command): void {
  defineList(command.command("list"));
  defineHistory(command.command("history"));
  defineRename(command.command("rename"));
  defineTag(command.command("tag"));
  defineRemove(command.command("remove"));
  definePair(command.command("pair"));
}

/** The room that a device prints, for a table. */
const roomOf = ({ room }: DeviceView): string | null =>
  room === undefined ? null : `${room.groupId}${room.mentions ? " (mentions)" : ""}`;

function showDevice(device: DeviceView): void {
  const { deviceId, name, online, lastSeen, createdAt, ai, tags } = device;
  const room = roomOf(device);
  printFields({
    id: deviceId,
    name,
    online,
    lastSeen,
    createdAt,
    ...(ai !== undefined && { ai }),
    ...(room !== null && { room }),
    ...(tags !== undefined && { tags: tags.join(", ") }),
  });
}

const deviceColumns = {
  id: ({ deviceId }: DeviceView) => deviceId,
  name: ({ name }: DeviceView) => name,
  online: ({ online }: DeviceView) => online,
  "last seen": ({ lastSeen }: DeviceView) => lastSeen,
  room: roomOf,
};

/** Columns that most people do not need. */
const moreColumns = {
  tags: ({ tags }: DeviceView) => tags?.join(" "),
  fault: ({ fault }: DeviceView) => fault?.reason,
};

const columnsFor = (devices: readonly DeviceView[]) => {
  const isNeeded = devices.some(({ tags, fault }) => tags !== undefined || fault !== undefined);
  return isNeeded ? { ...deviceColumns, ...moreColumns } : deviceColumns;
};

function defineList(command: Command): void {
  const examples = `
  $ telex device list --url https://telex.example --token-file token.txt
  $ telex device list --user 1
  $ telex device list --url https://telex.example --token-file admin.txt --user 1`;
  define(command, "List devices, last seen first", examples)
    .option(...ofUser)
    .option("--tag <tag>", "only devices with this tag")
    .action(async ({ tag, ...options }: DeviceOptions & { readonly tag?: string }) => {
      const all = await (await devicesOf(command, options)).list();
      const devices = tag === undefined ? all : all.filter(({ tags }) => tags?.includes(tag) === true);
      printResult(command, devices, () => printRows(devices, columnsFor(devices)));
    });
}

function defineRename(command: Command): void {
  const examples = `
  $ telex device rename kitchen-printer "Kitchen, by the window"`;
  deviceArguments(define(command, "Rename a device", examples), { name: "1 to 64 characters" })
    .option(...ofUser)
    .action(async () => {
      const [deviceId = "", name = ""] = deviceWords(command);
      const devices = await devicesOf(command, command.opts<DeviceOptions>());
      printResult(command, await named(deviceId, devices.rename({ deviceId, name })), showDevice);
    });
}

function defineTag(command: Command): void {
  const examples = `
  $ telex device tag kitchen-printer kitchen,ground-floor
  $ telex device tag kitchen-printer ""`;
  deviceArguments(define(command, "Set the tags of a device, by which several devices get a text", examples), {
    tags: "words separated by commas; none for no tag",
  })
    .option(...ofUser)
    .action(async () => {
      const [deviceId = "", list = ""] = deviceWords(command);
      const devices = await devicesOf(command, command.opts<DeviceOptions>());
      const tags = list.split(",").filter((tag) => tag !== "");
      printResult(command, await named(deviceId, devices.rename({ deviceId, tags })), showDevice);
    });
}

function defineRemove(command: Command): void {
  const examples = `
  $ telex device remove kitchen-printer`;
  deviceArguments(confirmed(define(command, "Free a device ID, and delete its texts", examples)))
    .option(...ofUser)
    .action(async () => {
      const [deviceId = ""] = deviceWords(command);
      const devices = await devicesOf(command, command.opts<DeviceOptions>());
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
    .action(async (code: string, options: DeviceOptions) => {
      const warn = (replaces: string): Promise<void> =>
        confirm(command, `You already have this device, as ${printable(replaces)}: its earlier tokens end. Pair it?`);
      printResult(command, await (await devicesOf(command, options)).pair(code, warn), showDevice);
    });
}
