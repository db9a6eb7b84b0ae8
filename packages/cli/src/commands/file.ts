import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
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
}

const load = async () => await import("../client/files.ts");

function defineUpload(command: Command): void {
  settingOptions(command.description("Store a file on a running server, for use in messages"), clientSettings)
    .argument("<file>", "file on this machine, at most 100 MB")
    .addHelpText("after", uploadHelp)
    .action(async (path: string) => {
      await (await load()).uploadFile(await serverOf(command), path, commonOf(command).json === true);
    });
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
