import type { TargetedPointerEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Milliseconds after which a press is a long one. */
const long = 500;

/** Handlers for an element: `open` is called when a finger rests on it. A finger that moves scrolls. */
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
