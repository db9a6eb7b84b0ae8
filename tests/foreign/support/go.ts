import { join } from "node:path";
import { cacheFolder, foreign } from "./cache.ts";
import { runToSuccess } from "./run.ts";

/** The Go program of a folder, after {@link installGo}. */
export const goProgram = (folder: string): string => cacheFolder("go", "bin", folder);

/** Builds the Go programs in these folders. Modules and results are cached. */
export async function installGo(folders: readonly string[]): Promise<void> {
  const env = {
    // A common place for Go that is often missing from the path.
    PATH: `${process.env["PATH"]}:/usr/local/go/bin`,
    GOCACHE: cacheFolder("go", "build"),
    GOMODCACHE: cacheFolder("go", "modules"),
    GOFLAGS: "-mod=readonly -modcacherw -buildvcs=false",
    GOTOOLCHAIN: "local",
  };
  for (const folder of folders) {
    await runToSuccess("go", ["build", "-o", goProgram(folder), "."], { cwd: join(foreign, folder), env });
  }
}
