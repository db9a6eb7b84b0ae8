import { useApp } from "../../app/context.ts";

/** Copies a text, and shows a notice. Null over plain HTTP, where browsers do not allow pages to use the clipboard. */
export function useCopy(text: string, said: string): (() => void) | null {
  const { notices } = useApp();
  if (!("clipboard" in navigator)) return null;
  return () => void navigator.clipboard.writeText(text).then(() => notices.show(said));
}
