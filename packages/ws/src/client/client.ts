export { openChannel, SocketError } from "./open.ts";
export type { ClientConnection, ClientSocket, OpenOptions } from "./open.ts";
export type { ChannelEvent, ChannelQuery, CommandInput, CommandName, CommandOutput, CommandPiece } from "./types.ts";
