import { type BotView, createTelex, operator } from "@telex/core";
import { createLazyEngine } from "../instance/engine.ts";
import { adviceFor } from "../operator/bot-advice.ts";
import type { Config } from "../settings/load.ts";
import { openStorage } from "../storage/storage.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { hasStorage } from "./stored.ts";

const wordsOf = ({ account, problem }: BotView): string =>
  `${account}: ${problem?.text ?? "It has never been connected."}`;

function judge(bots: readonly BotView[]): Finding {
  const wrong = bots.filter(({ online }) => !online);
  if (wrong.length === 0) return ok(bots.length === 0 ? "there are no bots" : `${bots.length} online`);
  const hints = new Set(wrong.map((bot) => adviceFor(bot) ?? ""));
  return warn(`not online: ${wrong.map(wordsOf).join(" ")}`, [...hints].join(" "));
}

/** Lists accounts of external networks that are not online, with the reason. */
export async function checkBots(config: Config): Promise<Finding> {
  if (!hasStorage(config)) return ok("there are no bots");
  const { storage, blobs } = await openStorage(config, "operate");
  const images = createLazyEngine();
  const telex = await createTelex({ storage, blobs, images });
  try {
    return judge(await telex.operator.bots.list(operator, {}));
  } finally {
    await telex.close();
    await images.close();
  }
}
