import { installGo } from "./go.ts";
import { installNpm } from "./npm.ts";
import { installPython } from "./python.ts";

/** Installs the dependencies of the foreign programs, once, before the tests run. */
export async function setup(): Promise<void> {
  await Promise.all([
    installPython("."),
    installPython("home-assistant"),
    installNpm("mcp-js"),
    installNpm("onebot-js"),
    installGo(["mqtt-go", "openai-go", "oauth-go", "oidc-go", "onebot-go", "onebot-zerobot"]),
  ]);
}
