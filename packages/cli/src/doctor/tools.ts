import type { ToolServerState } from "@telex/core";
import { aiToolsOf } from "../server/ai-tools.ts";
import type { Config } from "../settings/load.ts";
import { type Finding, ok, warn } from "./finding.ts";

const hint =
  "See the log of the server, or run the command of aiTools in a shell. Models do without its tools until then.";

const countOf = ({ name, tools, leftOut }: ToolServerState): string =>
  `${name}: ${tools} tools${leftOut > 0 ? `, ${leftOut} left out` : ""}`;

/** Connects to the tool servers, and reports what is wrong with each. */
export async function checkTools(config: Config): Promise<Finding> {
  const tools = await aiToolsOf(config);
  if (tools === null) return ok("there are no tool servers");
  try {
    const states = await tools.check();
    const wrong = states.filter(({ state }) => state !== "ready");
    const words = wrong.map(({ name, state, failure }) => `${name}: ${failure || state}`);
    if (wrong.length > 0) return warn(`not ready: ${words.join("; ")}`, hint);
    return ok(states.map(countOf).join("; "));
  } finally {
    await tools.close();
  }
}
