import type { RefObject, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** The key code that some browsers report during composition, and for the key that ends it. */
const composing = 229;

/** True for the Enter key that sends, except for the one that ends a composition. */
export const isSendKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>, enterSends: boolean): boolean =>
  event.key === "Enter" && !event.isComposing && event.keyCode !== composing && event.shiftKey !== enterSends;

/** Makes the box grow with its text in browsers that do not support `field-sizing`. */
export function useGrowth(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const area = box.current;
    if (area === null || CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [box, text]);
}

/** A box that gets the focus when it is first drawn, with the caret at its end. */
export function useFocusedBox(): RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
  return box;
}

/** True if a text is being typed in another field. */
const isTyping = (): boolean => document.activeElement?.matches("input, textarea, select") === true;

/**
 * Moves the focus to the box each time another conversation is opened, so that the person can write immediately. A touch screen would show its
 * keyboard over the messages, and a link to a message leads to the message.
 */
export function useOpenedBox(box: RefObject<HTMLTextAreaElement | null>, opened: unknown, messageId: number | null) {
  useEffect(() => {
    if (messageId === null && !isTyping() && !matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, [opened]);
}
