import { createSemaphore } from "@telex/ground/concurrency";
import { TelexError, type ErrorCode } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { ByteStream, IncomingFile } from "@telex/files/blobs";
import type { FileRecord } from "@telex/files/records";
import type { GatewaysLimits } from "../limits.ts";
import { type GatewayFaults, tooLate, unlessAborted } from "../faults.ts";
import type { OpenMedia } from "../../networks/incoming.ts";

interface MediaDeps {
  /** Stores the bytes of a file that was received for a room. */
  readonly receiveFile: (groupId: number, file: IncomingFile) => Promise<FileRecord>;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayMediaTime" | "gatewayMediaFetches">;
  readonly faults: GatewayFaults;
  readonly closing: AbortSignal;
}

export interface Media {
  readonly open: OpenMedia;
  readonly name: string;
  readonly mime: string;
}

export interface MediaFetch {
  /**
   * The stored file; null if it could not be fetched, in time or at all, or is not taken.
   * @throws TelexError `storage_unavailable`, and what else the storage throws
   */
  fetch(media: Media): Promise<FileRecord | null>;
  /** Must be called at the end. */
  end(): void;
}

/** Why a message is stored without its picture or file. Any other error is one of the storage. */
const losses: ReadonlySet<ErrorCode> = new Set([
  "file_not_found",
  "timeout",
  "too_large",
  "quota_exceeded",
  "file_conflict",
  "storage_full",
]);

/** The file from the network, unless the signal comes first. Any error of the network's side counts as a missing file. */
const bring = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> =>
  unlessAborted(
    signal,
    promise.catch((cause: unknown) => {
      throw new TelexError("file_not_found", { cause });
    }),
  );

async function* readUntil(bytes: ByteStream, signal: AbortSignal): ByteStream {
  const reader = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await bring(signal, reader.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stream that hangs would hang here, too.
    void reader.return?.().catch(() => undefined);
  }
}

/** The time of one message's media: aborted when it is over or the instance closes. */
function createMediaTime({ clock, limits, closing }: MediaDeps) {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const cancel = clock.after(limits.gatewayMediaTime, stop);
  if (closing.aborted) stop();
  closing.addEventListener("abort", stop);
  return {
    signal: controller.signal,
    end: (): void => {
      stop();
      cancel();
      closing.removeEventListener("abort", stop);
    },
  };
}

async function receive(
  deps: MediaDeps,
  groupId: number,
  { open, name, mime }: Media,
  signal: AbortSignal,
): Promise<FileRecord> {
  if (signal.aborted) throw tooLate();
  const opened = (async () => open(signal))();
  const bytes = readUntil(await bring(signal, opened), signal);
  return deps.receiveFile(groupId, { name, mime, bytes });
}

/** Only a few are fetched simultaneously, and all files of one message share a time limit. */
export function createMediaFetches(deps: MediaDeps) {
  const places = createSemaphore(deps.limits.gatewayMediaFetches, Number.POSITIVE_INFINITY);

  return (gateway: string, groupId: number): MediaFetch => {
    const { signal, end } = createMediaTime(deps);
    return {
      async fetch(media) {
        const leave = await places.enter(1);
        const received = receive(deps, groupId, media, signal).catch((cause: unknown) => {
          if (!TelexError.is(cause) || !losses.has(cause.code)) throw cause;
          deps.faults.refused("gateway.media_lost", { gateway, groupId, code: cause.code });
          return null;
        });
        return received.finally(leave);
      },
      end,
    };
  };
}
