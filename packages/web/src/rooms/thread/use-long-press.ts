import type { TargetedPointerEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The minimum duration of a long press, in milliseconds. */
const long = 500;

/** Handlers for an element. `open` is called on a long press. A moving finger scrolls instead. */
export function useLongPress(open: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => clearTimeout(timer.current);
  useEffect(() => stop, []);
  const onPointerDown = ({ pointerType }: TargetedPointerEvent<HTMLElement>): void => {
    stop();
    if (pointerType === "touch") timer.current = setTimeout(open, long);
  };
  return { onPointerDown, onPointerUp: stop, onPointerMove: stop, onPointerCancel: stop };
}
