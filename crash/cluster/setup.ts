import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { installNats } from "test-support/nats";

/** The server of the test as one file, which starts in a quarter of the time. */
export const serverProgram = fileURLToPath(new URL("../node_modules/.cache/cluster/server.mjs", import.meta.url));

async function bundleServer(): Promise<void> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("server.ts", import.meta.url)),
    platform: "node",
    external: ["sharp"],
    resolve: { conditionNames: ["telex-source", "node", "import"] },
    // The driver of the database asks for packages that it can do without.
    onLog() {},
  });
  await bundle.write({ file: serverProgram, format: "esm", codeSplitting: false });
  await bundle.close();
}

/** Makes what the cluster consists of, before the tests run. */
export async function setup(): Promise<void> {
  await Promise.all([installNats(), bundleServer()]);
}
