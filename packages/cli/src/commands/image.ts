import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { commonOf } from "../command.ts";
import type { ImageOptions } from "../image.ts";

const help = `
Examples:
  $ telex image photo.jpg                       as wide as the service makes it
  $ telex image photo.jpg --col 120 --color     in colours, for a terminal
  $ telex image photo.jpg --style braille       eight dots to a character
  $ curl -s https://example.org/a.png | telex image - --algo border`;

/** `telex image` */
export function defineImage(command: Command): void {
  command
    .argument("<file>", "JPEG, PNG, GIF, WebP, AVIF or TIFF; - reads stdin")
    .option("--col <n>", "width in characters, 1 to 200 [69]", columns)
    .addOption(new Option("--algo <algo>", "by brightness or by edges").choices(["gray", "border"]))
    .option("--out <file>", "write to a file, lines ending with CRLF")
    .option("--crlf", "end lines with CRLF on stdout too")
    .addOption(new Option("--style <style>", "how cells are drawn; ramp").choices(["ramp", "blocks", "braille"]))
    .option("--color", "in the colours of the picture")
    .option("--invert", "exchange dark and bright")
    .option("--ramp <chars>", "characters from dark to bright")
    .addHelpText("after", help)
    .action(async (file: string) => {
      const { printImage } = await import("../image.ts");
      // Not with the global ones: there, `color` is what --no-color turns off.
      await printImage(file, { ...command.opts<ImageOptions>(), json: commonOf(command).json === true });
    });
}

function columns(written: string): number {
  const value = /^\d{1,3}$/.test(written) ? Number(written) : 0;
  if (value < 1 || value > 200) throw new InvalidArgumentError("It must be a whole number from 1 to 200.");
  return value;
}
