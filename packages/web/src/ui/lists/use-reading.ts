import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useResize } from "./use-resize.ts";

/** The loads while the person reads. */
interface ReadingOptions {
  /** Called when the view approaches the first entry. */
  readonly older: () => void;
  /** Called when the view approaches the last entry, if there are newer ones. */
  readonly newer?: () => void;
  /** False if there are more entries below. Then the view does not follow the end. Default: true. */
  readonly isEnd?: boolean;
  /** True if there are no entries above. Then a view that is not filled loads newer ones. Default: false. */
  readonly isStart?: boolean;
  /** True while a page is being loaded. Then the view calls neither `older` nor `newer`. */
  readonly isLoading: boolean;
}

/** The position in a list: at its end, or further up. */
export interface Reading {
  readonly view: RefObject<HTMLDivElement | null>;
  /** True while the end of the list is visible. */
  readonly atEnd: ReadonlySignal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** The distance from an end that still counts as the end, in pixels. */
const endDistance = 24;
/** The distance from an end within which more is loaded, in pixels. */
const historyAhead = 1200;

interface Anchor {
  readonly line: Element;
  readonly top: number;
}

/** The first visible entry, and its position. */
function findAnchor(view: HTMLElement): Anchor | null {
  const { top, left, width, height } = view.getBoundingClientRect();
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const elements = document.elementsFromPoint(left + width / 2, top + height * share);
    const line = elements.map((element) => element.closest("li")).find((element) => element !== null);
    if (line) return { line, top: line.getBoundingClientRect().top };
  }
  return null;
}

const isAtEnd = (view: HTMLElement): boolean => view.scrollTop >= -endDistance;

const movedBy = ({ line, top }: Anchor): number => line.getBoundingClientRect().top - top;

/** Scrolls so that an entry is at its earlier position. */
function restore(view: HTMLElement, anchor: Anchor): void {
  if (anchor.line.isConnected) view.scrollTop += movedBy(anchor);
}

/** True if the entry has not moved, except for rounding in the browser, which would accumulate. */
const stands = (anchor: Anchor | null): anchor is Anchor =>
  anchor !== null && anchor.line.isConnected && Math.abs(movedBy(anchor)) <= 1;

/** Remembers the position of an entry, and restores it. */
function useAnchor(view: RefObject<HTMLDivElement | null>, isEnd: RefObject<boolean>) {
  const anchor = useRef<Anchor | null>(null);
  const remember = useCallback(() => {
    const box = view.current;
    if (box === null || (isEnd.current && isAtEnd(box))) anchor.current = null;
    else if (!stands(anchor.current)) anchor.current = findAnchor(box);
  }, [view, isEnd]);
  const hold = useCallback(() => {
    if (view.current !== null && anchor.current !== null) restore(view.current, anchor.current);
  }, [view]);
  return { remember, hold };
}

type View = RefObject<HTMLDivElement | null>;

interface ScrollingDeps extends Pick<ReadingOptions, "older" | "newer"> {
  readonly view: View;
  readonly isEnd: RefObject<boolean>;
  readonly isStart: boolean;
  readonly remember: () => void;
}

/**
 * Checks the ends again after each load: a person who reached an end during the load cannot scroll further, and content that does not fill
 * the view cannot scroll. A view that is not filled loads older entries first, because older and newer ones would keep replacing each other.
 */
function useEdges({ view, isEnd, isStart, older, newer }: Omit<ScrollingDeps, "remember">, isLoading: boolean): void {
  // Runs after the component that requested the load has scrolled to the result.
  useEffect(() => {
    const box = view.current;
    if (isLoading || box === null) return;
    const hidden = box.scrollHeight - box.clientHeight;
    if (!isStart && hidden + box.scrollTop < endDistance && (isEnd.current || hidden > 0)) return older();
    if (isAtEnd(box) && !isEnd.current && (hidden > 0 || isStart)) newer?.();
  }, [isLoading]);
}

/** Remembers the position of the view, and loads entries when it approaches an end of the list. */
function useScrolling({ view, isEnd, remember, older, newer }: Omit<ScrollingDeps, "isStart">) {
  const atEnd = useSignal(true);
  const onScroll = useCallback(() => {
    const box = view.current;
    if (box === null) return;
    atEnd.value = isEnd.current && isAtEnd(box);
    remember();
    if (box.scrollHeight - box.clientHeight + box.scrollTop < historyAhead) older();
    if (!isEnd.current && -box.scrollTop < historyAhead) newer?.();
  }, [view, isEnd, older, newer, atEnd, remember]);
  return { atEnd, onScroll };
}

/**
 * Keeps the visible entries in place while entries are added above or below, or are resized. The layout of the view starts at its end
 * (`column-reverse`), so that the end stays visible and history above moves no entry.
 * @param drawn changes with every change of the list
 */
export function useReading(
  drawn: unknown,
  { isEnd = true, isStart = false, isLoading, ...fetching }: ReadingOptions,
): Reading {
  const view: View = useRef<HTMLDivElement>(null);
  const last = useRef(drawn);
  const latestIsEnd = useRef(isEnd);
  latestIsEnd.current = isEnd;
  const { remember, hold } = useAnchor(view, latestIsEnd);
  const { atEnd, onScroll } = useScrolling({ view, isEnd: latestIsEnd, remember, ...fetching });

  // Runs before the change is drawn, because the view may have moved since the last scroll event.
  if (last.current !== drawn) remember();
  last.current = drawn;
  useLayoutEffect(() => {
    hold();
    onScroll();
  }, [drawn, hold, onScroll]);
  useEdges({ view, isEnd: latestIsEnd, isStart, ...fetching }, isLoading);
  // A part of the list that becomes visible for the first time may have another height than estimated.
  useResize(view, hold);

  const toEnd = (): void => view.current?.scrollTo({ top: 0 });
  return { view, atEnd, onScroll, toEnd };
}
