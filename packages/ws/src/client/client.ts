export { SocketError } from "./errors.ts";
export { pauseAfter } from "./clock.ts";
export type { ClientClock, Pauses } from "./clock.ts";
export type { ClientSocket, Connect, SocketEvent } from "./connection.ts";
export { followChannel } from "./follow.ts";
export type { Follower, FollowOptions, FollowState } from "./follow.ts";
export { openChannel } from "./open.ts";
export type { Caller, ClientConnection, OpenOptions } from "./open.ts";
export type { ChannelEvent, ChannelQuery, CommandInput, CommandName, CommandOutput, CommandPiece } from "./types.ts";
