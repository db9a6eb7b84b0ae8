import { implementation } from "./tongue.ts";

/** The name and version of the implementation, for OneBot 11. */
export const versionInfo11 = (version: string) => ({
  app_name: implementation,
  app_version: version,
  protocol_version: "v11",
});

/** The same for OneBot 12. */
export const versionInfo12 = (version: string) => ({ impl: implementation, version, onebot_version: "12" });

/** The `User-Agent` with which Telex connects to a framework. */
export const userAgentOf = (protocol: 11 | 12, version: string): string =>
  protocol === 11 ? `OneBot/11 Telex/${version}` : `OneBot/12 (${implementation}) Telex/${version}`;
