import { Session } from "node:inspector/promises";

/** The coverage that a run adds to that of all earlier runs. */
export interface Coverage {
  /** The number of blocks of our sources that ran for the first time since the last call. */
  newBlocks(): Promise<number>;
  /** The number of blocks of our sources that have run. */
  blocks(): number;
  stop(): Promise<void>;
}

const isOurs = (url: string): boolean => /\/packages\/(core|http|mqtt|ws)\/src\//.test(url);

/**
 * Watches which blocks of the sources run, as V8 counts them. Start it before the sources are imported: V8 counts the blocks
 * of a function only if it compiles the function afterwards.
 */
export async function startCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  const seen = new Set<string>();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  return {
    async newBlocks() {
      const before = seen.size;
      const { result } = await session.post("Profiler.takePreciseCoverage");
      for (const { url, functions } of result.filter((script) => isOurs(script.url))) {
        for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
          if (count > 0) seen.add(`${url}:${startOffset}-${endOffset}`);
        }
      }
      return seen.size - before;
    },
    blocks: () => seen.size,
    async stop() {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
