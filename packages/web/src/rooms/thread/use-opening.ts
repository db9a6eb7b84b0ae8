import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useApp } from "../../app/context.ts";
import type { Reading } from "../../ui/lists/use-reading.ts";
import type { Room } from "../state/room.ts";

/** The fraction of the view above the first unread message. */
const third = 1 / 3;

/** Scrolls so that the line above the first unread message is a third from the top. */
function placeLine(view: RefObject<HTMLElement | null>): void {
  const box = view.current;
  const line = box?.querySelector(".new-here");
  if (box === null || !line) return;
  const { top, height } = box.getBoundingClientRect();
  box.scrollTop += line.getBoundingClientRect().top - top - height * third;
}

/** Opens a room at the first unread message. Returns true once the view is at the opening position. */
export function useOpening(room: Room, { view }: Reading): boolean {
  const [isPlaced, setPlaced] = useState(false);
  const isLoaded = room.timeline.value !== null;
  const { messageId } = useApp().router.route.value;
  useLayoutEffect(() => {
    if (!isLoaded || isPlaced) return;
    if (messageId === null) placeLine(view);
    setPlaced(true);
  }, [isLoaded]);
  return isPlaced;
}
