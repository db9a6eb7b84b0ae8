export type { OneBotAccount } from "./account/options.ts";
export { createOneBot } from "./onebot.ts";
export type { OneBot, OneBotOptions } from "./onebot.ts";
