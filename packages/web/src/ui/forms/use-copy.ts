import { useApp } from "../../app/context.ts";

/** Copies a text, and says so. Null over plain HTTP, where browsers keep the clipboard from pages: the text can be selected there. */
export function useCopy(text: string, said: string): (() => void) | null {
  const { notices } = useApp();
  if (!("clipboard" in navigator)) return null;
  return () => void navigator.clipboard.writeText(text).then(() => notices.show(said));
}
