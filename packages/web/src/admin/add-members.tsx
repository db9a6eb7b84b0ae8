import type { UserView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useState } from "preact/hooks";
import { Check } from "../ui/forms/check.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";
import { useOperator } from "./parts/context.ts";
import { PagedList } from "./parts/list.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { useAction } from "../ui/actions/use-action.ts";
import { aboutUser, useUsers, wordsOfUser } from "./users.tsx";

export type MemberView = Awaited<ReturnType<OperatorClient["groups"]["members"]>>[number];

export interface RoomMembers {
  readonly groupId: number;
  readonly members: readonly MemberView[];
  readonly onMembers: (members: readonly MemberView[]) => void;
}

interface ChoiceProps {
  readonly user: UserView;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function UserChoice({ user, isChosen, onToggle }: ChoiceProps) {
  const texts = useAdminTexts();
  return (
    <li>
      <Check checked={isChosen} onChecked={onToggle}>
        <span dir="auto">{user.nickname}</span>
        <span class="hint">{aboutUser(user, texts)}</span>
      </Check>
    </li>
  );
}

/** The selected IDs. */
function useChosen() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return { chosen, toggle };
}

interface ChoicesProps extends ReturnType<typeof useChosen> {
  readonly members: readonly MemberView[];
}

/** The users who are not members yet. */
function UserChoices({ members, chosen, toggle }: ChoicesProps) {
  const texts = useAdminTexts();
  const memberIds = new Set(members.map(({ userId }) => userId));
  const list = { pages: useUsers(), wordsOf: wordsOfUser, label: texts.sections.users };
  return (
    <PagedList
      {...list}
      isListed={({ id }) => !memberIds.has(id)}
      row={(user) => (
        <UserChoice key={user.id} user={user} isChosen={chosen.has(user.id)} onToggle={() => toggle(user.id)} />
      )}
    />
  );
}

function useAdding({ groupId, onMembers }: Omit<RoomMembers, "members">, onClose: () => void) {
  const { groups } = useOperator();
  const { rooms: texts } = useAdminTexts();
  const { busy, text, run } = useAction();
  const add = async (ids: readonly number[]): Promise<string> => {
    onMembers(await groups.amendMembers({ groupId, add: [...ids] }));
    onClose();
    return texts.joined(ids.length);
  };
  return { busy, text, add: (ids: ReadonlySet<number>) => run(() => add([...ids])) };
}

/** Selects users to add as members. */
export function AddMembers({ members, onClose, ...room }: RoomMembers & { readonly onClose: () => void }) {
  const { rooms: texts } = useAdminTexts();
  const { chosen, toggle } = useChosen();
  const { busy, text, add } = useAdding(room, onClose);
  const submit = chosen.size === 0 ? texts.addMembers : texts.addChosen(chosen.size);
  const words = { title: texts.addMembers, lead: texts.addLead, submit };
  return (
    <FormDialog {...words} busy={busy} isReady={chosen.size > 0} onSubmit={() => add(chosen)} onClose={onClose}>
      <UserChoices members={members} chosen={chosen} toggle={toggle} />
      <ErrorText text={text} />
    </FormDialog>
  );
}
