import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrinterLink, PrinterPort } from "./port.ts";

/** Milliseconds between two attempts of a device that is busy, and two looks for its answers: a waiting read would hold a thread of Node. */
const interval = 50;

const isBusy = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "EAGAIN";

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
  const lost = (): void => close("the printer is gone");
  return {
    ended,
    hasAnswers: true,
    onByte: (heard) => void listen(heard).catch(lost),
    async write(bytes) {
      await writeAll(file, bytes, () => state.isOpen);
    },
    finish() {
      close("closed");
      return Promise.resolve();
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
