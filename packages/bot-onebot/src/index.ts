export type { OneBotAccount } from "./account/options.ts";
export type { Arriving, ArrivingSource, Incoming } from "./link/incoming.ts";
export { createOneBot } from "./onebot.ts";
export type { OneBot, OneBotOptions } from "./onebot.ts";
