import { channelFrames } from "../channels/frames.ts";
import type { ChannelName } from "../channels/table.ts";
import type { ChannelEvent, CommandName, CommandOutput, CommandPiece } from "./types.ts";

/** A frame of the service. */
export interface Frame {
  readonly type: string;
  readonly code: number;
  readonly identifier?: unknown;
  readonly data?: unknown;
  readonly msg?: string;
}

/** The frame of an event. */
export type EventFrame<N extends ChannelName> = Frame & ChannelEvent<N>;

const isTypeOf = (types: Readonly<Record<string, string>>, { type }: Frame): boolean =>
  Object.values(types).includes(type);

function isFrame(value: unknown): value is Frame {
  if (typeof value !== "object" || value === null) return false;
  const { type, code, msg }: Readonly<Partial<Record<keyof Frame, unknown>>> = value;
  return typeof type === "string" && typeof code === "number" && (msg === undefined || typeof msg === "string");
}

/** Parses a message; null if it is not a frame. */
export function readFrame(text: unknown): Frame | null {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
    return isFrame(value) ? value : null;
  } catch {
    return null;
  }
}

// The table determines `data` by `type`, and the service follows the table, so the client checks `type` only.

/** True for an event of the channel. */
export const isEvent = <N extends ChannelName>(channel: N, frame: Frame): frame is EventFrame<N> =>
  isTypeOf(channelFrames[channel].events, frame);

/** True for a frame that precedes the result of a command. */
export const isPiece = <N extends ChannelName, C extends CommandName<N>>(
  channel: N,
  _command: C,
  frame: Frame,
): frame is Frame & CommandPiece<N, C> => isTypeOf(channelFrames[channel].pieces, frame);

/** True for the result of the command. */
export function isResult<N extends ChannelName, C extends CommandName<N>>(
  channel: N,
  command: C,
  frame: Frame,
): frame is Frame & { readonly data: CommandOutput<N, C> } {
  const results: Readonly<Record<string, string>> = channelFrames[channel].results;
  return results[command] === frame.type;
}
