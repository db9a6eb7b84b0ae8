import { createSemaphore } from "@telex/ground/concurrency";
import type { ImageInfo, ImageSource, ImagesLimits } from "@telex/files/images";
import { createFairQueue, type JobKind } from "./fair-queue.ts";

/** The limits on simultaneous image jobs. */
export type TurnLimits = Pick<ImagesLimits, "imageJobs" | "imageQueue" | "imagePixelsAtOnce">;

/** Gives image jobs their turn, within limits of simultaneous jobs and of their pixels. Kinds of jobs take turns. */
interface Turns {
  /**
   * Runs `job` when there is room for one more.
   * @throws TelexError `busy` if too many of its kind wait, `shutting_down` if it was closed; and what `job` throws
   */
  run<T>(kind: JobKind, job: () => Promise<T>): Promise<T>;
  /**
   * Reads a picture file when there is room for one more, and runs `job` when there is room for its pixels.
   * @param open reads the header, and rejects pictures that must not be decoded
   * @throws what {@link Turns.run} throws, and what the source, `open` and `job` throw
   */
  runOn<P extends { readonly info: ImageInfo }, T>(
    kind: JobKind,
    source: ImageSource,
    open: (bytes: Uint8Array) => Promise<P>,
    job: (picture: P) => Promise<T>,
  ): Promise<T>;
  /** Rejects waiting jobs. */
  close(): void;
}

/** Turns within the given limits. */
export function createTurns(limits: TurnLimits): Turns {
  const jobs = createFairQueue(limits.imageJobs, limits.imageQueue);
  const pixels = createSemaphore(limits.imagePixelsAtOnce, limits.imageJobs);
  const run = async <T>(kind: JobKind, job: () => Promise<T>): Promise<T> => {
    const leave = await jobs.enter(kind);
    return await job().finally(leave);
  };
  return {
    run,
    runOn: async (kind, source, open, job) =>
      await run(kind, async () => {
        const picture = await open(typeof source === "function" ? await source() : source);
        const leave = await pixels.enter(picture.info.width * picture.info.height);
        return await job(picture).finally(leave);
      }),
    close() {
      jobs.close();
      pixels.close();
    },
  };
}
