import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useId, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { useRoomTexts } from "../content/texts.ts";
import type { FindPeople, Person } from "../state/people.ts";
import { findNamed, lastOf, namesIn } from "./names.ts";
import { useFound } from "./use-found.ts";

interface RowProps {
  readonly person: Person;
  readonly isChosen: boolean;
  readonly onChoose: (person: Person) => void;
}

const Names = ({ person: { avatar, nickname, about } }: Pick<RowProps, "person">) => (
  <>
    <img class="face" src={`${avatar}&size=80`} alt="" loading="lazy" width={32} height={32} />
    <span class="name" dir="auto">
      {nickname}
    </span>
    {about !== "" && <span class="last">{about}</span>}
  </>
);

/** A person with a checkbox, next to a button for a private chat. */
interface CheckRowProps extends RowProps {
  readonly onChat?: RowProps["onChoose"] | undefined;
}

function CheckRow({ person, isChosen, onChoose, onChat }: CheckRowProps) {
  const texts = useRoomTexts();
  return (
    <li>
      <label class="entry">
        <Names person={person} />
        <input type="checkbox" checked={isChosen} aria-label={person.nickname} onChange={() => onChoose(person)} />
      </label>
      {onChat && !person.isModel && (
        <IconButton shape="chat" label={texts.chatWith(person.nickname)} onClick={() => onChat(person)} />
      )}
    </li>
  );
}

/** A person who is chosen with one click. */
const ButtonRow = ({ person, onChoose }: Omit<RowProps, "isChosen">) => (
  <li>
    <Button class="entry" onClick={() => onChoose(person)}>
      <Names person={person} />
    </Button>
  </li>
);

interface SeekProps {
  readonly label: ComponentChildren;
  readonly typed: string;
  /** True to choose exactly one person. The box then gets the focus. */
  readonly isOne: boolean;
  readonly onTyped: (typed: string) => void;
  readonly onEnter: () => void;
}

function Seek({ label, typed, isOne, onTyped, onEnter }: SeekProps) {
  const texts = useRoomTexts();
  const id = useId();
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    // If the box is empty, Enter submits the form.
    if (event.key !== "Enter" || event.isComposing || typed.trim() === "") return;
    event.preventDefault();
    onEnter();
  };
  const placeholder = isOne ? texts.personHint : texts.peopleHint;
  const box = { type: "search", autocomplete: "off", maxlength: 128, placeholder } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="seek">
        <Icon shape="search" />
        <input
          {...box}
          id={id}
          value={typed}
          autofocus={isOne}
          onInput={({ currentTarget }) => onTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}

interface PickerProps {
  readonly find: FindPeople;
  readonly label: ComponentChildren;
  /** The selected people, or null if one click chooses a person. */
  readonly chosen: readonly Person[] | null;
  readonly onChoose: (person: Person) => void;
  /** Opens a private chat with a person. */
  readonly onChat?: (person: Person) => void;
  /** The people who are not offered. */
  readonly without?: ReadonlySet<number>;
}

/** The selected people, and the people who were found. */
function listOf(people: readonly Person[], chosen: readonly Person[], without: ReadonlySet<number> | undefined) {
  const ids = new Set(people.map(({ userId }) => userId));
  const others = chosen.filter(({ userId }) => !ids.has(userId));
  return [...others, ...people.filter(({ userId }) => without?.has(userId) !== true)];
}

function None({ typed }: { readonly typed: string }) {
  const texts = useRoomTexts();
  return (
    <p class="hint" role="status">
      {typed.trim() === "" ? texts.nobodyHere : texts.nobodyFound(typed.trim())}
    </p>
  );
}

/** The names in the box, and a handler for Enter, which chooses the people with these names. */
function useNames({ find, chosen, onChoose, without }: PickerProps) {
  const [typed, setTyped] = useState("");
  const { text, run } = useAction();
  const isChosen = ({ userId }: Person): boolean => chosen?.some((one) => one.userId === userId) === true;
  const isOffered = (person: Person): boolean => without?.has(person.userId) !== true && !isChosen(person);
  const chooseAll = async (): Promise<null> => {
    // Searched again, because the list may belong to an earlier text.
    const names = chosen === null ? [typed.trim()] : namesIn(typed);
    const { people, missing } = await findNamed(find, names, isOffered);
    setTyped(missing.join(", "));
    people.forEach(onChoose);
    return null;
  };
  return { typed, setTyped, text, isChosen, enter: () => run(chooseAll) };
}

/** Finds people by name. Enter chooses the first person for each name. */
export function PeoplePicker(props: PickerProps) {
  const { find, label, chosen, onChoose, onChat, without } = props;
  const shared = useTexts();
  const { typed, setTyped, text, isChosen, enter } = useNames(props);
  const sought = chosen === null ? typed : lastOf(typed);
  const { people, problem } = useFound(find, sought);
  const listed = listOf(people ?? [], chosen ?? [], without);
  // Also shown below people who are already selected.
  const isMissing = listed.length === 0 || (sought !== "" && people?.length === 0);
  const choose = (person: Person): void => {
    setTyped("");
    onChoose(person);
  };
  const row = (person: Person) => {
    const shownRow = { person, onChoose: choose };
    if (chosen === null) return <ButtonRow key={person.userId} {...shownRow} />;
    return <CheckRow key={person.userId} {...shownRow} isChosen={isChosen(person)} onChat={onChat} />;
  };
  return (
    <div class="picker">
      <Seek label={label} typed={typed} isOne={chosen === null} onTyped={setTyped} onEnter={enter} />
      <ErrorText text={text ?? (problem && shared.problem[problem])} />
      {people !== null && isMissing && problem === null && <None typed={sought} />}
      {listed.length > 0 && <ul class="picks">{listed.map(row)}</ul>}
    </div>
  );
}
