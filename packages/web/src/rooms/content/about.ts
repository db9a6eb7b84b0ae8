import type { MessageView } from "@telex/core";
import type { RoomView } from "./api.ts";
import { readContent } from "./content.ts";

/** True if one of the segments mentions this name. */
export const isAbout = (content: string, nickname: string): boolean =>
  readContent(content).some((segment) => segment.kind === "at" && segment.name === nickname);

/** True if a message should notify the person. A room that is not known does notify; a notice does not. */
export function isWanted(room: RoomView | undefined, { content, notice }: MessageView, nickname: string): boolean {
  if (notice !== undefined) return false;
  if (room === undefined) return true;
  if (room.notify === "none" || room.mutedUntil > Date.now()) return false;
  return room.notify !== "mentions" || room.groupType === 2 || isAbout(content, nickname);
}
