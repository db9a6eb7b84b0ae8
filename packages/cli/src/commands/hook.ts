import type { Command } from "commander";
import type { HookTarget } from "../client/hooks.ts";
import { serverOf } from "../client/server.ts";
import { UsageError } from "../errors/errors.ts";
import { clientSettings, commonOf, settingOptions } from "../options/command.ts";

const load = async () => await import("../client/hooks.ts");

const jsonOf = (command: Command): boolean => commonOf(command).json ?? false;

const hookCommand = (command: Command, description: string): Command =>
  settingOptions(command.description(description), clientSettings);

/** `telex hook` */
export function defineHook(command: Command): void {
  defineAdd(command.command("add"));
  defineList(command.command("list"));
  defineRemove(command.command("remove"));
}

interface AddOptions {
  readonly group?: string;
  readonly id?: string;
  readonly template?: string;
}

function targetOf({ group, id }: AddOptions): HookTarget {
  if (group !== undefined && id === undefined) return { groupId: group };
  if (id !== undefined && group === undefined) return { deviceId: id };
  throw new UsageError("Give either a chat room with --group, or a device with --id.");
}

const addHelp = `
Prints an address. Programs that know it write to the room, or print on the device: as with hooks of Slack or Discord, or with a text.

Examples:
  $ telex hook add Alerts --group 3
  $ telex hook add Builds --id kitchen --template "{{project}}: {{status}}"
  $ curl -d "The disk is full." https://telex.example/hooks/...`;

function defineAdd(command: Command): void {
  hookCommand(command, "Create an address at which programs write to a chat room or a device")
    .argument("<name>", "name that readers see, 1 to 64 characters")
    .option("--group <id>", "a chat room that you run")
    .option("--id <deviceId>", "a device of yours")
    .option("--template <text>", "the text to write for other JSON, with {{fields}}")
    .addHelpText("after", addHelp)
    .action(async (name: string, { template, ...options }: AddOptions) => {
      const hook = { name, ...(template !== undefined && { template }) };
      await (await load()).makeHook(await serverOf(command), jsonOf(command), targetOf(options), hook);
    });
}

const groupOption = "--group <id>";

function defineList(command: Command): void {
  hookCommand(command, "List the hooks of a chat room that you run, or of your devices")
    .option(groupOption, "the chat room; without it, your devices")
    .action(async ({ group = null }: { readonly group?: string | null }) =>
      (await load()).listHooks(await serverOf(command), jsonOf(command), group),
    );
}

function defineRemove(command: Command): void {
  hookCommand(command, "End a hook")
    .argument("<hookId>", "as telex hook list shows it")
    .option(groupOption, "its chat room; without it, a hook of a device")
    .action(async (hookId: string, { group = null }: { readonly group?: string | null }) =>
      (await load()).removeHook(await serverOf(command), jsonOf(command), hookId, group),
    );
}
