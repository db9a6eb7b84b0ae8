import { useMemo, useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useApp } from "../../app/context.ts";
import { roomPath } from "../../app/route.ts";
import { createNonce } from "../../base/nonce.ts";
import { type Work, useAction } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Person } from "../state/people.ts";
import { PeoplePicker } from "./people-picker.tsx";
import { useChatWith } from "./use-chat-with.ts";

/** The maximum length of the name of a room, in code points. */
const longestName = 128;

/** The default name of a room, made from the names of its members. */
const namesOf = (own: string, people: readonly Person[]): string =>
  Array.from([own, ...people.map(({ nickname }) => nickname)].join(", "))
    .slice(0, longestName)
    .join("");

/** The selected people, in the order of selection. */
export function useTicked() {
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const toggle = (person: Person): void =>
    setChosen((before) => {
      const others = before.filter(({ userId }) => userId !== person.userId);
      return others.length < before.length ? others : [...before, person];
    });
  return { chosen, toggle };
}

/** The form fields, and the action that creates the room. */
function useMaking(chosen: readonly Person[]) {
  const { changes } = useRooms();
  const { person } = useAccount();
  const { router } = useApp();
  const [name, setName] = useState("");
  const [topic, setTopic] = useState("");
  const nonce = useMemo(createNonce, []);
  const action = useAction(["name", "topic"]);
  const make: Work = async () => {
    const words = { name: name.trim() || namesOf(person.nickname, chosen), topic: topic.trim(), nonce };
    const room = await changes.make({ ...words, members: chosen.map(({ userId }) => userId) });
    router.go(roomPath(room.groupId), "replace");
    return null;
  };
  const isReady = name.trim() !== "" || chosen.length > 0;
  const suggested = chosen.length === 0 ? "" : namesOf(person.nickname, chosen);
  return { name, setName, topic, setTopic, suggested, isReady, action, make: () => action.run(make) };
}

interface WordsProps {
  readonly making: ReturnType<typeof useMaking>;
}

function Words({ making: { name, setName, topic, setTopic, suggested, action } }: WordsProps) {
  const texts = useRoomTexts();
  const nameInput = { name: "name", maxlength: longestName, autocomplete: "off", placeholder: suggested } as const;
  const topicInput = { name: "topic", maxlength: 1000, autocomplete: "off", placeholder: texts.topicHint } as const;
  const nameLine = { label: texts.roomName, value: name, onValue: setName, error: action.errorOf("name") };
  const topicLine = { label: texts.topic, value: topic, onValue: setTopic, error: action.errorOf("topic") };
  return (
    <>
      <Field {...nameLine} input={nameInput} optional={suggested !== ""} first />
      <Field {...topicLine} input={topicInput} optional />
    </>
  );
}

/** Creates a room with a name, a topic and members. */
export function NewRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useRoomTexts();
  const { people } = useRooms();
  const find = useMemo(people, [people]);
  const { chosen, toggle } = useTicked();
  const making = useMaking(chosen);
  const chat = useChatWith();
  const label = (
    <>
      {texts.people} <span class="hint mono">{texts.chosen(chosen.length)}</span>
    </>
  );
  const form = { title: texts.newRoom, submit: texts.makeRoom(chosen.length), isReady: making.isReady, onClose };
  return (
    <FormDialog {...form} busy={making.action.busy || chat.busy} onSubmit={making.make}>
      <Words making={making} />
      <PeoplePicker find={find} label={label} chosen={chosen} onChoose={toggle} onChat={chat.open} />
      <ErrorText text={making.action.text ?? chat.text} />
      <p class="hint">{texts.newRoomHint}</p>
    </FormDialog>
  );
}
