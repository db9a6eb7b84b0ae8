import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createTelex, operator } from "@telex/core";
import { createLazyEngine } from "../engine.ts";
import { adviceFor } from "../operator/bot-advice.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { openStorage, schemeOf } from "../storage.ts";
import { telexOptionsOf } from "../telex-options.ts";
import type { Finding } from "./finding.ts";

/** True if there is a storage to look into: looking must not make one. */
function isThere(url: string): boolean {
  const scheme = schemeOf(url);
  return scheme !== "memory:" && (scheme !== "sqlite:" || existsSync(resolve(url.slice("sqlite:".length))));
}

/** Which accounts of external networks are not online, and why. */
export async function checkBots(config: Config): Promise<Finding> {
  if (!isThere(config.get(settings.storage))) return { status: "ok", detail: "there are no bots" };
  const { storage, blobs } = await openStorage(config, "operate");
  const images = createLazyEngine();
  const telex = await createTelex({ ...(await telexOptionsOf(config)), storage, blobs, images });
  try {
    const bots = await telex.operator.bots.list(operator, {});
    const wrong = bots.filter(({ online }) => !online);
    if (wrong.length === 0)
      return { status: "ok", detail: bots.length === 0 ? "there are no bots" : `${bots.length} online` };
    const detail = wrong.map(
      ({ account, problem }) => `${account}: ${problem?.text ?? "It has never been connected."}`,
    );
    const hints = new Set(wrong.map((bot) => adviceFor(bot) ?? ""));
    return { status: "warn", detail: `not online: ${detail.join(" ")}`, hint: [...hints].join(" ") };
  } finally {
    await telex.close();
    await images.close();
  }
}
