import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Calls `onResize` when the size of the view or one of its children changes. */
export function useResize(view: RefObject<HTMLElement | null>, onResize: () => void): void {
  useLayoutEffect(() => {
    if (view.current === null) return undefined;
    const observer = new ResizeObserver(onResize);
    for (const box of [view.current, ...view.current.children]) observer.observe(box);
    return () => observer.disconnect();
  }, [view, onResize]);
}
