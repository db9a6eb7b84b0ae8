import type { RefObject, TargetedKeyboardEvent } from "preact";
import type { Signal } from "@preact/signals";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import type { MemberView } from "./api.ts";
import { isMeant, nameOf, typedMention } from "./mention.ts";
import { useRoomTexts } from "./texts.ts";

/** Members that are offered. */
const most = 6;

/** The members that may be meant by what is being typed, and how one is chosen. */
interface Mentions {
  readonly id: string;
  readonly found: readonly MemberView[];
  readonly chosen: number;
  readonly choose: (member: MemberView) => void;
  /** True where the key was for the list. */
  readonly onKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly input: {
    readonly "aria-autocomplete": "list";
    readonly "aria-controls": string | undefined;
    readonly "aria-activedescendant": string | undefined;
  };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The member whose name is being typed, among these. */
function findMeant(text: string, caret: number, members: readonly MemberView[]): readonly MemberView[] {
  const typing = typedMention(text, caret);
  if (typing === null) return [];
  const meant = members.filter((member) => isMeant(member, typing.query)).slice(0, most);
  const [only] = meant;
  return meant.length === 1 && only !== undefined && nameOf(only) === typing.query ? [] : meant;
}

/** Where the caret goes once the text is in the box. */
function useCaret(box: RefObject<HTMLTextAreaElement | null>) {
  const [place, setPlace] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (place === null) return;
    box.current?.setSelectionRange(place, place);
    setPlace(null);
  }, [box, place]);
  return setPlace;
}

/** Offers members while a name is being typed after an `@`. */
export function useMentions(
  box: RefObject<HTMLTextAreaElement | null>,
  draft: Signal<string>,
  members: readonly MemberView[],
): Mentions {
  const id = useId();
  const setCaret = useCaret(box);
  const [{ at, chosen, closed }, setState] = useState({ at: "", chosen: 0, closed: false });
  const text = draft.value;
  const caret = box.current?.selectionStart ?? text.length;
  const isSame = at === text;
  const found = isSame && closed ? [] : findMeant(text, caret, members);
  const place = isSame ? Math.min(chosen, found.length - 1) : 0;
  const choose = (member: MemberView): void => {
    const typing = typedMention(text, caret);
    if (typing === null) return;
    const before = `${text.slice(0, typing.at)}@${nameOf(member)} `;
    draft.value = before + text.slice(caret);
    setCaret(before.length);
    box.current?.focus();
  };
  const onKey = ({ key, isComposing }: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    const member = found[place];
    if (member === undefined || isComposing) return false;
    const step = steps[key];
    if (step !== undefined) setState({ at: text, chosen: (place + step + found.length) % found.length, closed: false });
    else if (key === "Escape") setState({ at: text, chosen: 0, closed: true });
    else if (key === "Enter" || key === "Tab") choose(member);
    else return false;
    return true;
  };
  const isOpen = found.length > 0;
  return {
    id,
    found,
    chosen: place,
    choose,
    onKey,
    input: {
      "aria-autocomplete": "list",
      "aria-controls": isOpen ? id : undefined,
      "aria-activedescendant": isOpen ? `${id}-${place}` : undefined,
    },
  };
}

interface OptionProps {
  readonly id: string;
  readonly member: MemberView;
  readonly isChosen: boolean;
  readonly onChoose: (member: MemberView) => void;
}

/** A member to choose. The keys are handled by the box, which keeps the focus. */
function Option({ id, member, isChosen, onChoose }: OptionProps) {
  const onMouseDown = (event: MouseEvent): void => {
    event.preventDefault();
    onChoose(member);
  };
  return (
    <li id={id} role="option" aria-selected={isChosen} onMouseDown={onMouseDown}>
      {nameOf(member)} <span class="hint">{member.nicknamePinyin}</span>
    </li>
  );
}

/** The members that may be meant, above the box. */
export function MentionList({ mentions: { id, found, chosen, choose } }: { readonly mentions: Mentions }) {
  const texts = useRoomTexts();
  if (found.length === 0) return null;
  return (
    <ul class="mentionable" id={id} role="listbox" aria-label={texts.mentionable}>
      {found.map((member, place) => (
        <Option
          key={member.userId ?? member.ext}
          id={`${id}-${place}`}
          member={member}
          isChosen={place === chosen}
          onChoose={choose}
        />
      ))}
    </ul>
  );
}
