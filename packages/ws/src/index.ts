export type {
  Channel,
  ChannelConnection,
  Command,
  CommandCall,
  CommandDescription,
  EventDescription,
  OpenChannel,
  Run,
} from "./channels/channel.ts";
export { channels } from "./channels/channels.ts";
export { defineChannel } from "./channels/define.ts";
export type { ChannelDefinition, DefinedCall, DefinedCommand, DefinedConnection } from "./channels/define.ts";
export { channelTable, closeCodes } from "./channels/table.ts";
export type { ChannelName } from "./channels/table.ts";
export type { ChannelRow } from "./channels/row.ts";
export { defaultWsLimits } from "./limits.ts";
export type { WsLimits } from "./limits.ts";
export { createWs } from "./ws.ts";
export type { Ws, WsOptions } from "./ws.ts";
