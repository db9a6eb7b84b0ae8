import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { useApp } from "../app/context.ts";
import { Icon } from "../ui/forms/icon.tsx";
import { Dialog } from "../ui/panes/dialog.tsx";
import type { Item } from "./items.ts";
import { useFoundItems } from "./sources.ts";
import { usePaletteTexts } from "./texts.ts";
import "./palette.css";

/** The typed text, the results, and the selected result. */
function useChoice(onClose: () => void) {
  const { router } = useApp();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const items = useFoundItems(typed);
  const selected = Math.min(chosen, Math.max(0, items.length - 1));
  const type = (text: string): void => {
    setTyped(text);
    setChosen(0);
  };
  const move = (step: number): void => {
    if (items.length > 0) setChosen((selected + step + items.length) % items.length);
  };
  const run = ({ target }: Item): void => {
    onClose();
    if (typeof target === "string") router.go(target);
    else target();
  };
  return { typed, type, items, selected, move, run };
}

const steps: Readonly<Partial<Record<string, number>>> = { ArrowDown: 1, ArrowUp: -1 };

type Choice = ReturnType<typeof useChoice>;

function Box({ id, choice }: { readonly id: string; readonly choice: Choice }) {
  const texts = usePaletteTexts();
  const { typed, type, items, selected, move, run } = choice;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = steps[event.key];
    const item = items[selected];
    if (event.isComposing || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step !== undefined) move(step);
    else if (item !== undefined) run(item);
  };
  const list = {
    role: "combobox",
    "aria-label": texts.hint,
    "aria-expanded": items.length > 0,
    "aria-controls": id,
    "aria-activedescendant": items.length > 0 ? `${id}-${selected}` : undefined,
    "aria-autocomplete": "list",
  } as const;
  return (
    <div class="seek">
      <Icon shape="search" />
      <input
        {...list}
        type="text"
        autocomplete="off"
        autofocus
        maxlength={128}
        placeholder={texts.hint}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: Item;
  readonly isChosen: boolean;
  readonly onRun: (item: Item) => void;
}

/** A result. The box handles the keys, because it keeps the focus. */
function Option({ id, item, isChosen, onRun }: OptionProps) {
  const texts = usePaletteTexts();
  useEffect(() => {
    if (isChosen) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id, isChosen]);
  return (
    <li id={id} role="option" aria-selected={isChosen} onClick={() => onRun(item)}>
      <span class="name" dir="auto">
        {item.name}
      </span>
      <span class="hint">{texts.kinds[item.kind]}</span>
    </li>
  );
}

/** Finds rooms, people, devices, conversations, pages and actions by name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const texts = usePaletteTexts();
  const id = useId();
  const choice = useChoice(onClose);
  const { typed, items, selected, run } = choice;
  const options = items.map((item, index) => (
    <Option key={item.key} id={`${id}-${index}`} item={item} isChosen={index === selected} onRun={run} />
  ));
  return (
    <Dialog title={texts.title} look="finder" onClose={onClose}>
      <Box id={id} choice={choice} />
      <ul class="found" id={id} role="listbox" aria-label={texts.results}>
        {options}
      </ul>
      {items.length === 0 && (
        <p class="hint" role="status">
          {texts.none(typed.trim())}
        </p>
      )}
    </Dialog>
  );
}
