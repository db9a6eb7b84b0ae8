import type { Command } from "commander";
import type { Report, Search } from "../client/own-files.ts";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
import { confirm, confirmed } from "../options/confirm.ts";
import { readChoice, readDuration, readInteger } from "../options/read.ts";
import { serverOf } from "../client/server.ts";

const uploadHelp = `
The printed file_id identifies the file in messages. A file that no message uses is deleted after a while.

Example:
  $ telex file upload photo.jpg`;

const downloadHelp = `
Examples:
  $ telex file download 0123456789abcdef0123456789abcdef
  $ telex file download 0123456789abcdef0123456789abcdef.jpg
  $ telex file download /downloadFile/cGF0aA/local/report.pdf --out report.pdf`;

/** `telex file` */
export function defineFile(command: Command): void {
  defineUpload(command.command("upload"));
  defineDownload(command.command("download"));
  defineList(command.command("list"));
  defineUses(command.command("uses"));
  defineRemove(command.command("remove"));
  defineShare(command.command("share"));
  defineLinks(command.command("links"));
  defineUnshare(command.command("unshare"));
}

const load = async () => await import("../client/files.ts");

function defineUpload(command: Command): void {
  settingOptions(command.description("Store a file on a running server, for use in messages"), clientSettings)
    .argument("<file>", "file on this machine, at most 100 MB")
    .addHelpText("after", uploadHelp)
    .action(async (path: string) =>
      (await load()).uploadFile(await serverOf(command), path, commonOf(command).json === true),
    );
}

function defineDownload(command: Command): void {
  settingOptions(command.description("Write a file of a running server to this machine"), clientSettings)
    .argument("<name>", "file_id of your file, <md5>.<ext> of an image, or the path or URL of a download")
    .option("--out <file>", "file to write; - for stdout; default: its own name, in this folder")
    .addHelpText("after", downloadHelp)
    .action(async (source: string, { out }: { readonly out?: string }) => {
      const { json = false } = commonOf(command);
      await (await load()).downloadFile(await serverOf(command), { source, out, json, talk: talkOf(command) });
    });
}

const ownFiles = async () => await import("../client/own-files.ts");

const fileCommand = (command: Command, description: string): Command =>
  settingOptions(command.description(description), clientSettings);

const jsonOf = (command: Command): boolean => commonOf(command).json ?? false;

const reportOf = (command: Command): Report => ({ json: jsonOf(command), talk: talkOf(command) });

const kinds = ["picture", "text", "audio", "video", "archive", "other"] as const;

function defineList(command: Command): void {
  fileCommand(command, "List your files, the newest first")
    .option("--query <words>", "only files whose names have all these words, Chinese also in pinyin or initials")
    .option("--kind <kind>", `only files of this kind: ${kinds.join(", ")}`, readChoice(kinds))
    .option("--limit <n>", "at most this many, 1 to 1000", readInteger(1, 1000), 100)
    .action(async (search: Search) => (await ownFiles()).listFiles(await serverOf(command), jsonOf(command), search));
}

const argument = ["<file_id>", "32 hexadecimal digits"] as const;

function defineUses(command: Command): void {
  fileCommand(command, "List the messages of your rooms that use a file")
    .argument(...argument)
    .action(async (md5: string) => (await ownFiles()).listUses(await serverOf(command), jsonOf(command), md5));
}

const removeHelp = `
Messages that use the file keep it: recall them to remove it there. Links to the file end.`;

function defineRemove(command: Command): void {
  confirmed(fileCommand(command, "Delete one of your files"))
    .argument(...argument)
    .addHelpText("after", removeHelp)
    .action(async (md5: string) => {
      await confirm(command, "Delete this file? Messages that use it keep it; its links end.");
      await (await ownFiles()).removeFile(await serverOf(command), reportOf(command), md5);
    });
}

const week = 7 * 86_400_000;

const shareHelp = `
Example:
  $ telex file share 0123456789abcdef0123456789abcdef --life 12h`;

function defineShare(command: Command): void {
  fileCommand(command, "Create a link with which anyone can download one of your files")
    .argument(...argument)
    .option("--life <duration>", "how long the link can be opened, 1m to 30d", readDuration, week)
    .addHelpText("after", shareHelp)
    .action(async (md5: string, { life }: { readonly life: number }) =>
      (await ownFiles()).shareFile(await serverOf(command), reportOf(command), md5, life),
    );
}

function defineLinks(command: Command): void {
  fileCommand(command, "List the links to your files").action(async () =>
    (await ownFiles()).listLinks(await serverOf(command), jsonOf(command)),
  );
}

function defineUnshare(command: Command): void {
  fileCommand(command, "End a link to one of your files")
    .argument("<id>", "as telex file links shows it")
    .action(async (id: string) => (await ownFiles()).revokeLink(await serverOf(command), reportOf(command), id));
}
