import { Option } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
import { UsageError } from "../errors/errors.ts";
import { readInteger } from "../options/read.ts";
import type { ImageOptions } from "../picture/print.ts";
import { reportFailure } from "../errors/report.ts";

const help = `
On a terminal, the picture fits the terminal and has its colours. When the output is piped, or with --out, --col, --algo or
--style telex, it is exactly the text that the server makes.

Examples:
  $ telex image photo.jpg                       as large as the terminal
  $ telex image *.jpg --height 20               several, each with at most 20 lines
  $ telex image photo.jpg --style braille       eight dots to a character
  $ telex image cat.gif --play                  an animation
  $ telex image photo.jpg > photo.txt           the text that the server makes, 69 characters wide
  $ curl -s https://example.org/a.png | telex image - --algo border
  $ telex image photo.jpg --to-device kitchen-printer --token $TOKEN`;

/** `telex image` */
export function defineImage(command: Command): void {
  settingOptions(command, clientSettings)
    .argument("<files...>", "JPEG, PNG, GIF, WebP, AVIF, TIFF or SVG; - reads stdin (no SVG)")
    .option("--col <n>", "width in characters, 1 to 200 [69]", readInteger(1, 200))
    .option("--height <n>", "at most this many lines, 1 to 2000; the width is adjusted", readInteger(1, 2000))
    .addOption(new Option("--algo <algo>", "by brightness or by edges").choices(["gray", "border"]))
    .option("--out <file>", "write to a file, lines ending with CRLF")
    .option("--crlf", "end lines with CRLF on stdout too")
    .addOption(
      new Option("--style <style>", "how cells are drawn; telex is the text of the service").choices([
        "telex",
        "ramp",
        "blocks",
        "braille",
      ]),
    )
    .option("--color", "in the colours of the picture")
    .option("--invert", "swap dark and bright, for a light terminal")
    .option("--ramp <chars>", "characters from dark to bright")
    .option("--play", "play an animation on the terminal")
    .option("--to-device <id>", "print it on a device, in texts of at most 2000 characters")
    .addHelpText("after", help)
    .action(async (files: readonly string[]) => await runImage(command, files));
}

type Given = ImageOptions & { readonly toDevice?: string };

async function runImage(command: Command, files: readonly string[]): Promise<void> {
  // `command.opts`, because `optsWithGlobals` would take the global `color`, which belongs to --no-color.
  const options = command.opts<Given>();
  if (files.length > 1 && options.out !== undefined) throw new UsageError("--out accepts only one picture.");
  if (files.filter((file) => file === "-").length > 1) throw new UsageError("stdin (-) can only be read once.");
  const showOne =
    options.toDevice === undefined ? await printer(command, options) : await sender(command, options, options.toDevice);
  if (files.length === 1) return await showOne(files[0] ?? "-", false);
  await showAll(command, files, showOne);
}

type ShowOne = (file: string, isOneOfSeveral: boolean) => Promise<void>;

/** Shows pictures in order. A failure is reported, and does not stop the next picture. */
async function showAll(command: Command, files: readonly string[], showOne: ShowOne): Promise<void> {
  const { json = false, verbose = false } = commonOf(command);
  for (const file of files) {
    try {
      await showOne(file, true);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.exitCode = await reportFailure(error, { json, verbose });
    }
  }
}

async function printer(command: Command, options: ImageOptions): Promise<ShowOne> {
  const { printImage } = await import("../picture/print.ts");
  const { json = false } = commonOf(command);
  const talk = talkOf(command);
  return async (file, isOneOfSeveral) => {
    if (isOneOfSeveral && process.stdout.isTTY && !json) process.stdout.write(`${file}\n`);
    await printImage(file, options, json, talk);
  };
}

async function sender(command: Command, options: ImageOptions, id: string): Promise<ShowOne> {
  const [{ readImageText }, { sendPicture }, { serverOf }] = await Promise.all([
    import("../picture/print.ts"),
    import("../client/send-picture.ts"),
    import("../client/server.ts"),
  ]);
  const server = await serverOf(command);
  const json = commonOf(command).json === true;
  return async (file) => await sendPicture(server, { id, text: await readImageText(file, options) }, json);
}
