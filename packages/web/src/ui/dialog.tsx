import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useTexts } from "../context.ts";
import { Icon } from "./icon.tsx";

/** What a dialog asks for. */
export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True if only its button and Escape close it, and no click outside: for what is shown once. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

/** Opens a dialog for as long as it is drawn. `isDrawn` tells a dialog that was closed from one that is drawn no more. */
function useModal() {
  const box = useRef<HTMLDialogElement>(null);
  const drawn = useRef(true);
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      drawn.current = false;
      dialog?.close();
    };
  }, []);
  return { box, isDrawn: () => drawn.current, close: () => box.current?.close() };
}

function Header({ id, title, onClose }: Pick<DialogProps, "title" | "onClose"> & { readonly id: string }) {
  const texts = useTexts();
  return (
    <header>
      <h2 id={id}>{title}</h2>
      <button type="button" class="plain" aria-label={texts.close} onClick={onClose}>
        <Icon shape="close" />
      </button>
    </header>
  );
}

/** A dialog over the page: open for as long as it is drawn. Focus goes in, stays in, and goes back where it was. */
export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  const id = useId();
  const { box, isDrawn, close } = useModal();
  const onBackdrop = (event: MouseEvent): void => {
    if (event.target === box.current && !isKept) close();
  };
  return (
    // A click outside; Escape does the same.
    <dialog ref={box} aria-labelledby={id} onClose={() => isDrawn() && onClose()} onMouseDown={onBackdrop}>
      <div class="dialog paper">
        <Header id={id} title={title} onClose={close} />
        {children}
      </div>
    </dialog>
  );
}
