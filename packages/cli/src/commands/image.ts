import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions } from "../command.ts";
import type { ImageOptions } from "../image.ts";
import { serverOf } from "../options.ts";

const help = `
Examples:
  $ telex image photo.jpg                       as wide as the service makes it
  $ telex image photo.jpg --col 120 --color     in colours, for a terminal
  $ telex image photo.jpg --style braille       eight dots to a character
  $ curl -s https://example.org/a.png | telex image - --algo border
  $ telex image photo.jpg --to-device kitchen-printer --token $TOKEN`;

/** `telex image` */
export function defineImage(command: Command): void {
  settingOptions(command, clientSettings)
    .argument("<file>", "JPEG, PNG, GIF, WebP, AVIF or TIFF; - reads stdin")
    .option("--col <n>", "width in characters, 1 to 200 [69]", columns)
    .addOption(new Option("--algo <algo>", "by brightness or by edges").choices(["gray", "border"]))
    .option("--out <file>", "write to a file, lines ending with CRLF")
    .option("--crlf", "end lines with CRLF on stdout too")
    .addOption(new Option("--style <style>", "how cells are drawn; ramp").choices(["ramp", "blocks", "braille"]))
    .option("--color", "in the colours of the picture")
    .option("--invert", "exchange dark and bright")
    .option("--ramp <chars>", "characters from dark to bright")
    .option("--to-device <id>", "print it on a device: sends it in messages of at most 2000 characters")
    .addHelpText("after", help)
    .action(async (file: string) => {
      const options = command.opts<ImageOptions & { readonly toDevice?: string }>();
      const { printImage, readImageText } = await import("../image.ts");
      if (options.toDevice !== undefined) {
        const { sendPicture } = await import("../client/send-picture.ts");
        const picture = { id: options.toDevice, text: await readImageText(file, options) };
        await sendPicture(await serverOf(command), picture, commonOf(command).json === true);
        return;
      }
      // Not with the global ones: there, `color` is what --no-color turns off.
      await printImage(file, { ...options, json: commonOf(command).json === true });
    });
}

function columns(written: string): number {
  const value = /^\d{1,3}$/.test(written) ? Number(written) : 0;
  if (value < 1 || value > 200) throw new InvalidArgumentError("It must be a whole number from 1 to 200.");
  return value;
}
