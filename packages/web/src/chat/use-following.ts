import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useResize } from "../ui/lists/use-resize.ts";

/** Follows the end of a conversation, or keeps the view still while the person reads further up. */
export interface Following {
  readonly view: RefObject<HTMLDivElement | null>;
  readonly atEnd: ReadonlySignal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
  /** Stops following the end. */
  readonly leaveEnd: () => void;
}

/** The distance from the end that still counts as the end, in pixels. */
const endDistance = 32;

const distanceOf = ({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number =>
  scrollHeight - clientHeight - scrollTop;

/** Follows the end of a view while it is visible, and remembers the height of the view. */
function useEnd(view: RefObject<HTMLDivElement | null>) {
  const atEnd = useSignal(true);
  const height = useRef(0);
  const follow = useCallback(() => {
    const box = view.current;
    if (box === null) return;
    if (atEnd.peek()) box.scrollTop = box.scrollHeight;
    height.current = box.scrollHeight;
  }, [view, atEnd]);
  const toEnd = useCallback(() => {
    atEnd.value = true;
    follow();
  }, [atEnd, follow]);
  return { atEnd, height, follow, toEnd };
}

/**
 * Keeps the end visible while the person is there, and otherwise the messages that are visible.
 * @param oldest identifies the first message; undefined if there are no messages
 */
export function useFollowing(oldest: unknown): Following {
  const view = useRef<HTMLDivElement>(null);
  const last = useRef(oldest);
  const drawn = useRef(oldest);
  drawn.current = oldest;
  const { atEnd, height, follow, toEnd } = useEnd(view);
  const onScroll = useCallback(() => {
    if (view.current !== null) atEnd.value = distanceOf(view.current) < endDistance;
  }, [atEnd]);
  useLayoutEffect(() => {
    const box = view.current;
    const hasOlder = last.current !== undefined && last.current !== oldest;
    last.current = oldest;
    if (box !== null && hasOlder && !atEnd.peek()) box.scrollTop += box.scrollHeight - height.current;
    follow();
  }, [oldest, atEnd, height, follow]);
  useResize(view, follow);
  const leaveEnd = useCallback(() => {
    atEnd.value = false;
    // The caller scrolls to a message. Older messages above it must not move the view.
    last.current = drawn.current;
  }, [atEnd]);
  return { view, atEnd, onScroll, toEnd, leaveEnd };
}
