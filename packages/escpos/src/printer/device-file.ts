import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrinterLink, PrinterPort } from "./port.ts";
import { noReports } from "./status.ts";

/** Milliseconds between writes to a busy device, and between reads of its answers: a blocking read would occupy a thread of Node. */
const interval = 50;

const has = (cause: unknown, code: string): boolean => cause instanceof Error && "code" in cause && cause.code === code;
const isBusy = (cause: unknown): boolean => has(cause, "EAGAIN");
/** Linux refuses to read from a printer that sends no answers. */
const isMute = (cause: unknown): boolean => has(cause, "EINVAL");

async function writeAll(file: FileHandle, bytes: Uint8Array, isOpen: () => boolean): Promise<void> {
  for (let rest = bytes; rest.length > 0;) {
    if (!isOpen()) throw new Error("the printer was closed");
    try {
      const { bytesWritten } = await file.write(rest);
      rest = rest.subarray(bytesWritten);
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      await sleep(interval);
    }
  }
}

/** Reads what has come. */
async function readSome(file: FileHandle, buffer: Buffer): Promise<Uint8Array> {
  try {
    const { bytesRead } = await file.read(buffer);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    if (isBusy(cause)) return buffer.subarray(0, 0);
    throw cause;
  }
}

function linkOf(file: FileHandle): PrinterLink {
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const state = { isOpen: true };
  const close = (reason: string): void => {
    if (!state.isOpen) return;
    state.isOpen = false;
    end(reason);
    file.close().catch(() => undefined);
  };
  const listen = async (heard: (byte: number) => void): Promise<void> => {
    const buffer = Buffer.alloc(64);
    while (state.isOpen) {
      for (const byte of await readSome(file, buffer)) heard(byte);
      await sleep(interval);
    }
  };
  const write = (bytes: Uint8Array): Promise<void> => writeAll(file, bytes, () => state.isOpen);
  const lost = (): void => close("the printer is gone");
  return {
    ended,
    hasAnswers: true,
    onByte(heard) {
      listen(heard).catch((cause: unknown) => {
        if (!isMute(cause)) lost();
      });
    },
    write,
    async finish() {
      // Linux accepts bytes before the printer has them, and drops them on close. It accepts more only when the printer has all earlier ones.
      await write(noReports);
      close("closed");
    },
    destroy: () => close("closed"),
  };
}

/** A printer at USB, as Linux shows it: `/dev/usb/lp0`. */
export const devicePort = (path: string): PrinterPort => ({
  async open() {
    try {
      return linkOf(await open(path, constants.O_RDWR | constants.O_NONBLOCK));
    } catch {
      throw new Error(`${path} cannot be opened`);
    }
  },
});
