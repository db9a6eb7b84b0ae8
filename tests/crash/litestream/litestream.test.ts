import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSqliteStorage, verifySqlite } from "@telex/storage-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer } from "test-support/answers";
import { folder, serve, until } from "test-support/command";
import { textAt } from "test-support/json";
import { createUploader } from "test-support/uploader";

/** The program. `TELEX_LITESTREAM=<path>` names one that is not in `PATH`. */
const litestream = process.env["TELEX_LITESTREAM"] ?? "litestream";

async function holdsAll(file: string, digests: readonly string[]): Promise<boolean> {
  const storage = await createSqliteStorage({ file });
  try {
    for (const md5 of digests) if ((await storage.bucket.findFile(md5)) === null) return false;
    return true;
  } finally {
    await storage.close();
  }
}

describe("litestream", () => {
  it("ships a database under load, from which all of it is restored", { timeout: 120_000 }, async () => {
    const [data, replica, target] = [await folder(), join(await folder(), "replica"), await folder()];
    await answer(["user", "add", "alice", "--data", data]);
    const token = textAt(await answer(["token", "issue", "--user", "1", "--scope", "chat", "--data", data]), "token");
    const server = await serve(["--data", data, "--rate-limits", "off"]);
    const shipping = spawn(litestream, ["replicate", join(data, "telex.db"), `file://${replica}`], { stdio: "ignore" });
    onTestFinished(() => void shipping.kill("SIGKILL"));
    const load = createUploader(server.url, token, (number) => new File([`file ${number}`], `${number}.bin`));
    await until(() => Promise.resolve(existsSync(replica) && load.acknowledged.length > 200));
    await load.stop();
    let restores = 0;
    const restore = (): string => {
      const file = join(target, `${(restores += 1)}.db`);
      execFileSync(litestream, ["restore", "-o", file, `file://${replica}`], { stdio: "ignore" });
      return file;
    };
    await until(async () => await holdsAll(restore(), load.acknowledged));
    const ended = [once(server.process, "close"), once(shipping, "close")];
    server.process.kill("SIGKILL");
    shipping.kill("SIGKILL");
    await Promise.all(ended);
    const file = restore();
    expect(verifySqlite({ file })).toEqual([]);
    expect(await holdsAll(file, load.acknowledged)).toBe(true);
    // The server continues on its own database, which Litestream only reads.
    const again = await serve(["--data", data]);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });
});
