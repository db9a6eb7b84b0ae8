import type { ByteStream, IncomingFile } from "../bucket/contract.ts";
import type { FileRecord } from "../bucket/store.ts";
import { TelexError } from "../errors/errors.ts";
import type { Limits } from "../options/limits.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import type { Clock } from "../time/clock.ts";
import { type GatewayFaults, unlessAborted } from "./faults.ts";
import type { OpenMedia } from "./incoming.ts";

/** What fetching pictures and files of networks needs. */
export interface MediaDeps {
  /** Stores the bytes of a file that was received for a room. */
  readonly receiveFile: (groupId: number, file: IncomingFile) => Promise<FileRecord>;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "gatewayMediaTime" | "gatewayMediaFetches">;
  readonly faults: GatewayFaults;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
}

/** A picture or file to be fetched. */
export interface Media {
  readonly open: OpenMedia;
  readonly name: string;
  readonly mime: string;
}

/** Fetches for one message. */
export interface MediaFetch {
  /** The stored file; null if it could not be fetched, in time or at all. Never rejects. */
  fetch(media: Media): Promise<FileRecord | null>;
  /** Must be called at the end. */
  end(): void;
}

/** The chunks of a stream, until the signal comes. */
async function* readUntil(bytes: ByteStream, signal: AbortSignal): ByteStream {
  const reader = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(signal, reader.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stream that hangs would hang here, too.
    void reader.return?.().catch(() => undefined);
  }
}

/** Only so many are fetched simultaneously; those of one message have a time limit together. */
export function createMediaFetches({ receiveFile, clock, limits, faults, closing }: MediaDeps) {
  const places = createSemaphore(limits.gatewayMediaFetches, Number.POSITIVE_INFINITY);

  return (gateway: string, groupId: number): MediaFetch => {
    const controller = new AbortController();
    const { signal } = controller;
    const cancel = clock.after(limits.gatewayMediaTime, () => controller.abort());
    const stop = (): void => controller.abort();
    if (closing.aborted) stop();
    closing.addEventListener("abort", stop);

    const receive = async ({ open, name, mime }: Media): Promise<FileRecord> => {
      signal.throwIfAborted();
      const opened = (async () => open(signal))();
      const bytes = readUntil(await unlessAborted(signal, opened), signal);
      return receiveFile(groupId, { name, mime, bytes });
    };
    return {
      async fetch(media) {
        const leave = await places.enter(1);
        try {
          return await receive(media);
        } catch (cause) {
          const code = TelexError.is(cause) ? cause.code : cause instanceof Error ? cause.name : "unknown";
          faults.refused("gateway.media_lost", { gateway, groupId, code });
          return null;
        } finally {
          leave();
        }
      },
      end() {
        cancel();
        closing.removeEventListener("abort", stop);
      },
    };
  };
}
