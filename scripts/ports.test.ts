import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freePort } from "test-support/port";
import { expect, it } from "vitest";

const run = promisify(execFile);

it.runIf(process.platform === "linux")(
  "a port that a test has is given to no other process, although nothing listens there",
  async () => {
    const port = await freePort();
    const code = `import { createPorts } from "test-support/port"; console.log(await createPorts(${port} - 10_000)());`;
    const other = await run(process.execPath, ["--conditions=telex-source", "--input-type=module", "--eval", code], {
      cwd: import.meta.dirname,
    });
    expect(Number(other.stdout)).not.toBe(port);
  },
);
