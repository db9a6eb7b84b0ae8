import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../../app/context.ts";

/** Scrolls to a message, and focuses it. */
function goTo(view: HTMLElement | null, messageId: number | null): void {
  const line = view?.querySelector<HTMLElement>(`[data-id="${messageId}"]`);
  line?.scrollIntoView({ block: "center" });
  line?.focus({ preventScroll: true });
}

interface TargetOptions {
  /** A change of this value shows the message again, for example when texts are rendered differently. */
  readonly look?: unknown;
  /** Called before the message is shown. */
  readonly before?: () => void;
  /** Called after the message is shown. */
  readonly after?: () => void;
}

/**
 * Shows the message that the URL names once it is loaded. Used in the component that draws the messages, or above it.
 * @returns the ID of the message, or null if the URL names none
 */
export function useTarget(
  has: (id: number) => boolean,
  view: RefObject<HTMLElement | null>,
  { look, before, after }: TargetOptions = {},
): number | null {
  const route = useApp().router.route.value;
  const { messageId } = route;
  const shown = useRef<readonly unknown[]>([]);
  const isThere = messageId !== null && has(messageId);
  useLayoutEffect(() => {
    const [lastRoute, lastLook] = shown.current;
    if (!isThere || (lastRoute === route && lastLook === look)) return;
    shown.current = [route, look];
    before?.();
    goTo(view.current, messageId);
    after?.();
  }, [isThere, route, view, look, before, after]);
  return messageId;
}
