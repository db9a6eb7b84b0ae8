import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { Button } from "../ui/forms/button.tsx";
import { Icon } from "../ui/forms/icon.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";

const Palette = createLazy(async () => (await import("../palette/palette.tsx")).Palette);

/** Calls `open` for Ctrl+K and Command+K, unless a dialog is open. */
function useFindKeys(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isWanted = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isWanted || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

const isApple = /Mac|iP/.test(navigator.userAgent);

/** Opens the palette. */
export function FindButton() {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  useFindKeys(open);
  return (
    <>
      <Button class="find" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <Icon shape="search" />
        <span>{texts.find}</span>
        <kbd aria-hidden="true">{isApple ? "⌘ K" : "Ctrl K"}</kbd>
      </Button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}
