import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { type ReadonlySignal, useSignal } from "@preact/signals";

/** How a roll is read: at its end, or further up. */
export interface Reading {
  readonly view: RefObject<HTMLDivElement | null>;
  /** True while the end of the roll is in sight. */
  readonly atEnd: ReadonlySignal<boolean>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** Pixels from the end that still count as the end. */
const endDistance = 24;
/** Pixels of history above the view below which more is fetched. */
const historyAhead = 1200;

interface Anchor {
  readonly line: Element;
  readonly top: number;
}

/** The uppermost line in sight, and where it stands. */
function findAnchor(view: HTMLElement): Anchor | null {
  const { top, left, width, height } = view.getBoundingClientRect();
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const found = document.elementsFromPoint(left + width / 2, top + height * share);
    const line = found.map((element) => element.closest(".line")).find((element) => element !== null);
    if (line) return { line, top: line.getBoundingClientRect().top };
  }
  return null;
}

/**
 * Keeps what is being read in its place, whatever is printed below, unrolled above or resized. The view lays its content
 * out from its end (`column-reverse`): the end stays in sight by itself, and history above moves nothing.
 * @param drawn changes with every change of the roll
 * @param more called when the history above runs out
 */
export function useReading(drawn: unknown, more: () => void): Reading {
  const view = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const atEnd = useSignal(true);

  const onScroll = useCallback(() => {
    const box = view.current;
    if (box === null) return;
    atEnd.value = box.scrollTop >= -endDistance;
    anchor.current = atEnd.value ? null : findAnchor(box);
    if (box.scrollHeight - box.clientHeight + box.scrollTop < historyAhead) more();
  }, [more, atEnd]);
  const hold = useCallback(() => {
    const { line, top } = anchor.current ?? {};
    const box = view.current;
    if (box === null || line === undefined || top === undefined || !line.isConnected) return;
    const moved = line.getBoundingClientRect().top - top;
    if (Math.abs(moved) > 1) box.scrollTop += moved;
  }, []);

  useLayoutEffect(() => {
    hold();
    onScroll();
  }, [drawn, hold, onScroll]);
  useLayoutEffect(() => {
    if (view.current === null) return undefined;
    const observer = new ResizeObserver(hold);
    observer.observe(view.current);
    return () => observer.disconnect();
  }, [hold]);

  const toEnd = (): void => view.current?.scrollTo({ top: 0 });
  return { view, atEnd, onScroll, toEnd };
}
