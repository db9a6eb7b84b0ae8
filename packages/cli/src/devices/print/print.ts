import { createPrinter, encodeReceipt, openPort, type EncodeOptions, type Paper, type Receipt } from "@telex/escpos";
import type { DeviceMessageView } from "@telex/core";
import { UsageError } from "../../errors/errors.ts";
import { type Arrival, type ReceivingDevice, receiveTexts } from "../run/receive.ts";
import { type Begun, openBegun } from "./begun.ts";
import { dotsOf, inkOf, pictureIn } from "./character-picture.ts";
import { createDraw } from "./draw.ts";

/** A device that is a receipt printer. */
export interface Printing {
  readonly receiving: ReceivingDevice;
  /** A place for `openPort`. */
  readonly to: string;
  readonly paper: Paper;
  readonly pictures: "raster" | "characters";
  readonly shows: Required<Pick<EncodeOptions, "cut" | "codes" | "drawChinese">> & { readonly time: boolean };
  /** True if a text that may be on paper waits for a person, instead of being printed again. */
  readonly waitsInDoubt: boolean;
  /** Waits between attempts and for answers. Default: the timers of Node. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds to finish a text that is being printed when the command is stopped. */
const lastText = 10_000;

/** The time of a text in the zone of this machine. */
function timeOf(createdAt: string): string {
  const time = new Date(createdAt);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The content of a text, or the picture in it. */
async function bodyOf(content: string, { pictures, paper }: Printing): Promise<Pick<Receipt, "content" | "picture">> {
  const original = pictureIn(content);
  if (original === null) return { content };
  if (pictures === "characters") return { content: await inkOf(original, paper.columns) };
  const picture = dotsOf(original, paper.dots);
  return picture === null ? { content } : { content: "", picture };
}

async function receiptOf(text: DeviceMessageView, printing: Printing, isAgain: boolean): Promise<Receipt> {
  return {
    ...(text.title !== undefined && { title: text.title }),
    ...(printing.shows.time && { time: timeOf(text.createdAt) }),
    ...(await bodyOf(text.content, printing)),
    isAgain,
  };
}

/** Aborts with `stop`, but leaves a text that is being printed some time to be finished. */
function createPatience(stop: AbortSignal) {
  const patience = new AbortController();
  let isPrinting = false;
  const onStop = (): void => {
    if (!isPrinting) return patience.abort(stop.reason);
    setTimeout(() => patience.abort(stop.reason), lastText).unref();
  };
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  return {
    signal: patience.signal,
    /** Called with true when a text is begun, and with false when it is no longer being printed. */
    change(next: boolean): void {
      isPrinting = next;
      if (!next && stop.aborted) patience.abort(stop.reason);
    },
    end: () => stop.removeEventListener("abort", onStop),
  };
}

/** The life of a text ended while it waited for the printer. */
class Expired extends Error {}

/** Prints a text, however long the printer is away. Resolves with `failed` if the text expired before. */
async function printText(printing: Printing, begun: Begun, { text, report, isOver }: Arrival, stop: AbortSignal) {
  const { to, waitsInDoubt, paper, shows, pause } = printing;
  const patience = createPatience(stop);
  const port = openPort(to);
  const printer = createPrinter({
    port,
    report(fault) {
      if (fault !== null) patience.change(false);
      report(fault);
    },
    afterDoubt: waitsInDoubt ? "wait" : "print",
    ...(pause && { pause }),
  });
  const wasBegun = begun.has(text.id);
  const encode = async (isAgain: boolean): Promise<Uint8Array> => {
    if (isOver()) throw new Expired();
    const receipt = await receiptOf(text, printing, isAgain || wasBegun);
    return await encodeReceipt(receipt, { ...shows, paper, draw: createDraw(paper) });
  };
  const begin = async (): Promise<void> => {
    await begun.add(text.id);
    patience.change(true);
  };
  try {
    await printer.print(encode, patience.signal, begin);
    return report(null);
  } catch (cause) {
    if (!(cause instanceof Expired)) throw cause;
    return "failed";
  } finally {
    patience.end();
  }
}

/** Checks the place before the device comes online. */
function checkPlace(to: string): void {
  try {
    openPort(to);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * Prints each text of a device, until `stop` aborts. A text is acknowledged when the printer has taken it.
 * @throws UsageError for a place that names no printer
 * @throws Failure if the server rejects the device or its token
 */
export async function printDevice(printing: Printing, stop: AbortSignal): Promise<void> {
  checkPlace(printing.to);
  const { server, deviceId } = printing.receiving;
  const begun = await openBegun(server.url, deviceId);
  await receiveTexts(printing.receiving, (arrival) => printText(printing, begun, arrival, stop), stop);
}
