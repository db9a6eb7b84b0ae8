import type { RefObject } from "preact";
import { useCallback, useEffect } from "preact/hooks";
import { useApp } from "../../app/context.ts";
import { isSeen } from "../../server/network.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";

/** The number of pixels of a message that may be hidden while it counts as seen. */
const hidden = 8;

/** The last message that is visible to its end, or that begins above the view. */
function lowestSeen(view: HTMLElement): number {
  const { top, bottom } = view.getBoundingClientRect();
  const lines = view.querySelectorAll<HTMLElement>("[data-id]");
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index];
    const box = line?.getBoundingClientRect();
    if (box !== undefined && (box.bottom <= bottom + hidden || box.top <= top)) return Number(line?.dataset["id"]);
  }
  return 0;
}

/**
 * Marks only messages that were visible as read. Returns a function to call after scrolling.
 * @param isPlaced false until the view is at the opening position
 */
export function useReadMark(room: Room, view: RefObject<HTMLElement | null>, isPlaced: boolean): () => void {
  const { read } = useRooms();
  const { now } = useApp();
  const timeline = room.timeline.value;
  const mark = useCallback(() => {
    const box = view.current;
    if (box === null || !isPlaced || !isSeen(window)) return;
    const messageId = lowestSeen(box);
    if (messageId > 0) read(room.groupId, messageId);
  }, [read, room, view, isPlaced]);
  useEffect(mark, [mark, timeline, now.value]);
  return mark;
}
