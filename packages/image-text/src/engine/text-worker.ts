import type { ImagesLimits, TextOptions } from "@telex/files/images";
import { joinBytes } from "@telex/ground/concurrency";
import { type ReasonKey, TelexError, type TextParams } from "@telex/ground/errors";
import { createWorkerPool } from "@telex/ground/workers";

/** The limits that hold for turning one picture into text. */
export type TextLimits = Pick<ImagesLimits, "imagePixels" | "imageLines" | "imageTime">;

export interface TextRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: TextOptions;
  readonly limits: TextLimits;
}

/** The answer of a worker to an unreadable picture. Errors lose their class between threads. */
export interface TextRefusal {
  readonly reason: ReasonKey | undefined;
  readonly params: TextParams;
}

/** Turns pictures into text in separate threads. */
interface TextWorkers {
  /** Like `ImageEngine.text`. */
  text(bytes: Uint8Array, options: TextOptions): Promise<string>;
  close(): Promise<void>;
}

/** @param entry the module `worker.ts`, as source or built */
export function createTextWorkers(entry: URL, limits: TextLimits & Pick<ImagesLimits, "imageJobs">): TextWorkers {
  const { imagePixels, imageLines, imageTime, imageJobs } = limits;
  const failure = (kind: "late" | "broken", cause: Error): TelexError =>
    new TelexError(kind === "late" ? "unreadable_image" : "internal", { cause });
  const pool = createWorkerPool(entry, { size: imageJobs, time: imageTime, failure });
  return {
    async text(bytes, options) {
      // A copy to transfer. A message would copy too, but in one step; and the collector does not count memory that threads
      // share, and lets it pile up.
      const copy = await joinBytes([bytes]);
      const request: TextRequest = { bytes: copy, options, limits: { imagePixels, imageLines, imageTime } };
      return textFrom(await pool.run(request, [copy.buffer]));
    },
    close: async () => await pool.close(),
  };
}

function textFrom(reply: unknown): string {
  if (typeof reply === "string") return reply;
  if (!isRefusal(reply))
    throw new TelexError("internal", { cause: new Error("a worker sent neither text nor refusal") });
  const { reason, params } = reply;
  throw TelexError.of("unreadable_image", reason === undefined ? {} : { reason, params });
}

const isRefusal = (reply: unknown): reply is TextRefusal =>
  typeof reply === "object" && reply !== null && "reason" in reply && "params" in reply;
