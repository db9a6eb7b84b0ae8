import type { TargetedPointerEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The minimum duration of a long press, in milliseconds. */
const long = 500;

/** Ignores the click of the finger that is still down, because what has opened is now under it. */
function ignoreClick(): void {
  const lifted = new AbortController();
  const { signal } = lifted;
  const ignore = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", ignore, { capture: true, once: true, signal });
  addEventListener("pointerdown", () => lifted.abort(), { capture: true, once: true });
}

/** Handlers for an element. `open` is called on a long press. A moving finger scrolls instead. */
export function useLongPress(open: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => clearTimeout(timer.current);
  useEffect(() => stop, []);
  const onLong = (): void => {
    ignoreClick();
    open();
  };
  const onPointerDown = ({ pointerType }: TargetedPointerEvent<HTMLElement>): void => {
    stop();
    if (pointerType === "touch") timer.current = setTimeout(onLong, long);
  };
  return { onPointerDown, onPointerUp: stop, onPointerMove: stop, onPointerCancel: stop };
}
