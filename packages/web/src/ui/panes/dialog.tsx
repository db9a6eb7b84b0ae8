import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp, useTexts } from "../../app/context.ts";
import { IconButton } from "../forms/icon-button.tsx";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True for secrets that are shown once: only the button and Escape close the dialog, not a click outside or Back. */
  readonly isKept?: boolean;
  /** True while the dialog cannot be closed, because it will show the result of an action in progress. */
  readonly isHeld?: boolean;
  /** An additional class of the dialog. */
  readonly look?: string;
  readonly children: ComponentChildren;
}

/** Opens a dialog while it is mounted. `isDrawn` distinguishes a closed dialog from an unmounted one. */
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
  return { box, isDrawn: () => drawn.current, open: () => box.current?.showModal(), close: () => box.current?.close() };
}

function useClosing({ onClose, isKept = false, isHeld = false }: Omit<DialogProps, "title" | "look" | "children">) {
  const { box, isDrawn, open, close } = useModal();
  const { router } = useApp();
  const stays = isKept || isHeld;
  useLayoutEffect(() => (stays ? router.stay() : undefined), [router, stays]);
  const onCancel = (event: Event): void => void (isHeld && event.preventDefault());
  const onClosed = (): void => {
    // Browsers do not allow a page to prevent Escape twice.
    if (isDrawn()) (isHeld ? open : onClose)();
  };
  const onMouseDown = ({ target }: MouseEvent): void => {
    if (target === box.current && !isKept && !isHeld) close();
  };
  return { ref: box, close, onCancel, onClose: onClosed, onMouseDown };
}

interface HeaderProps extends Pick<DialogProps, "title" | "onClose"> {
  readonly id: string;
  readonly isHeld: boolean | undefined;
}

function Header({ id, title, isHeld, onClose }: HeaderProps) {
  const texts = useTexts();
  return (
    // A `header` element would count as the header of the page.
    <div class="dialog-head">
      <h2 id={id}>{title}</h2>
      <IconButton shape="close" label={texts.close} disabled={isHeld} onClick={onClose} />
    </div>
  );
}

/** A modal dialog, open while it is mounted. Afterwards the focus returns to where it was. */
export function Dialog({ title, look = "", children, ...closing }: DialogProps) {
  const id = useId();
  const { close, ...dialog } = useClosing(closing);
  return (
    // A click outside closes the dialog, like Escape.
    <dialog {...dialog} class={look} aria-labelledby={id}>
      <div class="dialog paper">
        <Header id={id} title={title} isHeld={closing.isHeld} onClose={close} />
        {children}
      </div>
    </dialog>
  );
}
