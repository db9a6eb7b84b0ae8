import type { RefObject, TargetedKeyboardEvent } from "preact";
import type { Signal } from "@preact/signals";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import type { MemberView } from "../content/api.ts";
import { isMeant, nameOf, typedMention } from "../content/mention.ts";
import { useRoomTexts } from "../content/texts.ts";

/** The maximum number of members in the list. */
const most = 6;

/** The members that match the typed mention, and a function to choose one. */
interface Mentions {
  readonly id: string;
  readonly found: readonly MemberView[];
  readonly chosen: number;
  readonly choose: (member: MemberView) => void;
  /** Returns true if the list handled the key. */
  readonly onKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly input: {
    readonly "aria-autocomplete": "list";
    readonly "aria-controls": string | undefined;
    readonly "aria-activedescendant": string | undefined;
  };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The members that match the name being typed. */
function findMeant(text: string, caret: number, members: readonly MemberView[]): readonly MemberView[] {
  const typing = typedMention(text, caret);
  if (typing === null) return [];
  const meant = members.filter((member) => isMeant(member, typing.query)).slice(0, most);
  return meant.length === 1 && meant.every((member) => nameOf(member) === typing.query) ? [] : meant;
}

/** Moves the caret after the text in the box has changed. */
function useCaret(box: RefObject<HTMLTextAreaElement | null>) {
  const [caret, setCaret] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (caret === null) return;
    box.current?.setSelectionRange(caret, caret);
    setCaret(null);
  }, [box, caret]);
  return setCaret;
}

/** The members that match the typed mention, and the selected one. The selection applies to this text only. */
function useMeant(text: string, caret: number, members: readonly MemberView[]) {
  const [{ at, chosen, closed }, setState] = useState({ at: "", chosen: 0, closed: false });
  const isSame = at === text;
  const matches = isSame && closed ? [] : findMeant(text, caret, members);
  const selected = isSame ? Math.min(chosen, matches.length - 1) : 0;
  const move = (step: number): void =>
    setState({ at: text, chosen: (selected + step + matches.length) % matches.length, closed: false });
  const close = (): void => setState({ at: text, chosen: 0, closed: true });
  return { found: matches, selected, move, close };
}

/** Replaces the typed mention with the name of a member. */
function useChoose(box: RefObject<HTMLTextAreaElement | null>, draft: Signal<string>, caret: number) {
  const setCaret = useCaret(box);
  const text = draft.value;
  return (member: MemberView): void => {
    const typing = typedMention(text, caret);
    if (typing === null) return;
    const before = `${text.slice(0, typing.at)}@${nameOf(member)} `;
    draft.value = before + text.slice(caret);
    setCaret(before.length);
    box.current?.focus();
  };
}

const createKeyHandler =
  ({ found, selected, move, close }: ReturnType<typeof useMeant>, choose: Mentions["choose"]): Mentions["onKey"] =>
  ({ key, isComposing }) => {
    const member = found[selected];
    if (member === undefined || isComposing) return false;
    const step = steps[key];
    if (step !== undefined) move(step);
    else if (key === "Escape") close();
    else if (key === "Enter" || key === "Tab") choose(member);
    else return false;
    return true;
  };

/** The attributes that describe the list to screen readers, if it is shown. */
const inputOf = (id: string, { found, selected }: ReturnType<typeof useMeant>): Mentions["input"] => ({
  "aria-autocomplete": "list",
  "aria-controls": found.length > 0 ? id : undefined,
  "aria-activedescendant": found.length > 0 ? `${id}-${selected}` : undefined,
});

/** Suggests members while a name is being typed after an `@`. */
export function useMentions(
  box: RefObject<HTMLTextAreaElement | null>,
  draft: Signal<string>,
  members: readonly MemberView[],
): Mentions {
  const id = useId();
  const caret = box.current?.selectionStart ?? draft.value.length;
  const meant = useMeant(draft.value, caret, members);
  const choose = useChoose(box, draft, caret);
  const { found, selected: chosen } = meant;
  return { id, found, chosen, choose, onKey: createKeyHandler(meant, choose), input: inputOf(id, meant) };
}

interface OptionProps {
  readonly id: string;
  readonly member: MemberView;
  readonly isChosen: boolean;
  readonly onChoose: (member: MemberView) => void;
}

/** An option of the list. The box handles the keys, because it keeps the focus. */
function Option({ id, member, isChosen, onChoose }: OptionProps) {
  const onMouseDown = (event: MouseEvent): void => {
    event.preventDefault();
    onChoose(member);
  };
  const name = nameOf(member);
  const pinyin = member.nicknamePinyin;
  return (
    <li id={id} role="option" aria-selected={isChosen} onMouseDown={onMouseDown}>
      {name} {pinyin !== name.toLowerCase() && <span class="hint">{pinyin}</span>}
    </li>
  );
}

const keyOf = ({ userId, ext }: MemberView) => userId ?? ext;

/** The suggested members, above the box. */
export function MentionList({ mentions: { id, found, chosen, choose } }: { readonly mentions: Mentions }) {
  const texts = useRoomTexts();
  if (found.length === 0) return null;
  const options = found.map((member, index) => {
    const option = { member, id: `${id}-${index}`, isChosen: index === chosen, onChoose: choose };
    return <Option key={keyOf(member)} {...option} />;
  });
  return (
    <ul class="mentionable" id={id} role="listbox" aria-label={texts.mentionable}>
      {options}
    </ul>
  );
}
