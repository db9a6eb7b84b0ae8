import type { Command } from "commander";
import { readChoice, readInteger } from "../../options/read.ts";
import { untilStopped } from "../../terminal/signals.ts";
import { define, naming, receivingOf } from "./run.ts";

interface PrintOptions {
  readonly to: string;
  readonly width: 58 | 80;
  readonly columns?: number;
  readonly pictures: "raster" | "characters";
  readonly drawChinese?: boolean;
  readonly cut: boolean;
  readonly codes: boolean;
  readonly time: boolean;
  readonly waitInDoubt?: boolean;
}

const help = `
The printer speaks ESC/POS. A text is delivered when the printer has taken it: paper out, an open cover, or a printer that is off keep it
waiting, and the page of the device shows the reason. If the connection is lost before the printer has confirmed a text, or this process
ends before the server knows, the text is printed again under the heading "(again)".

Chinese is printed with the printer's own font, in GB18030. Emoji, and with --draw-chinese all Chinese, are drawn with the fonts of this
machine. A link is also printed as a QR code.

Examples:
  $ telex device print kitchen --to tcp://192.0.2.7
  $ telex device print kitchen --to /dev/usb/lp0 --width 80
  $ telex device print kitchen --to cups:Kitchen --no-cut`;

/** `telex device print` */
export function definePrint(command: Command): void {
  define(command, "Be a device: print each text on a receipt printer", help)
    .requiredOption("--to <printer>", "tcp://<host>:<port> (9100), a path such as /dev/usb/lp0, or cups:<name>")
    .option("--width <mm>", "width of the paper: 58 or 80", readChoice([58, 80]), 58)
    .option("--columns <n>", "characters in a line, 8 to 48 [32 or 48, depending on the width]", readInteger(8, 48))
    .option("--pictures <how>", "raster or characters", readChoice(["raster", "characters"]), "raster")
    .option("--draw-chinese", "for a printer without a Chinese font")
    .option("--no-cut", "for a printer without a cutter")
    .option("--no-codes", "print no QR codes of links")
    .option("--no-time", "do not print when a text was sent")
    .option(
      "--wait-in-doubt",
      "do not reprint a text that may be on paper: it waits until this command is started again",
    )
    .option(...naming)
    .action(async () => {
      const { to, width, columns, pictures, drawChinese = false, ...options } = command.opts<PrintOptions>();
      const { cut, codes, time, waitInDoubt = false } = options;
      const { papers } = await import("@telex/escpos");
      const { printDevice } = await import("../../devices/print/print.ts");
      const paper = { ...papers[width], ...(columns !== undefined && { columns }) };
      const lines = pictures === "characters" ? [`columns=${paper.columns}`] : [];
      const receiving = await receivingOf(command, ["text", "print", ...(cut ? ["cut"] : []), ...lines]);
      const shows = { cut, codes, drawChinese, time };
      await printDevice({ receiving, to, paper, pictures, shows, waitsInDoubt: waitInDoubt }, untilStopped());
    });
}
