import type { UserView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { Check } from "../ui/forms/check.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "./parts/danger.tsx";
import { Fetched, useFetched } from "./parts/fetched.tsx";
import { DialogForm, Opens, textOrNull } from "./parts/form.tsx";
import { HeldList, HeldRow } from "./parts/held.tsx";
import { PagedList } from "./parts/list.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { useAction } from "./parts/use-action.ts";
import { aboutUser, useUsers, wordsOfUser } from "./users.tsx";

type MemberView = Awaited<ReturnType<OperatorClient["groups"]["members"]>>[number];

interface RoomMembers {
  readonly groupId: number;
  readonly members: readonly MemberView[];
  readonly onMembers: (members: readonly MemberView[]) => void;
}

interface MemberProps extends Omit<RoomMembers, "members"> {
  readonly member: MemberView;
}

function NameCard({ groupId, member, onMembers, onClose }: MemberProps & { readonly onClose: () => void }) {
  const { groups } = useOperator();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { userId, nickname, card } = member;
  const save = async (read: (name: "card") => string): Promise<string> => {
    onMembers(await groups.card({ groupId, userId, card: textOrNull(read("card")) }));
    return texts.saved;
  };
  const entries = { card: { label: texts.rooms.card, optional: true, input: { maxlength: 128 } } };
  const words = { title: texts.rooms.cardOf(nickname), lead: texts.rooms.cardLead, submit: shared.save };
  return <DialogForm {...words} entries={entries} initial={{ card: card ?? "" }} onSubmit={save} onClose={onClose} />;
}

interface TakeOutProps extends Pick<RoomMembers, "groupId" | "onMembers"> {
  readonly userId: number;
  readonly name: string;
}

function TakeOut({ groupId, userId, name, onMembers }: TakeOutProps) {
  const { groups } = useOperator();
  const { rooms: texts } = useAdminTexts();
  const takeOut = async (): Promise<string> => {
    onMembers(await groups.amendMembers({ groupId, remove: [userId] }));
    return texts.tookOut(name);
  };
  const question = { label: texts.takeOut, title: texts.takeOutTitle(name), lead: texts.takeOutLead };
  return <Danger look="link" about={name} {...question} work={takeOut} />;
}

function MemberRow(props: MemberProps) {
  const texts = useAdminTexts();
  const { userId, nickname, card } = props.member;
  const name = card ?? nickname;
  const about = [texts.number(userId), ...(card === null ? [] : [nickname])].join(" · ");
  return (
    <HeldRow name={name} href={adminPath("users", userId)} about={about}>
      <Opens look="link" label={texts.rooms.card} about={name}>
        {(close) => <NameCard {...props} onClose={close} />}
      </Opens>
      <TakeOut userId={userId} name={name} {...props} />
    </HeldRow>
  );
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

/** The ids that are chosen, of any number. */
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
  const known = new Set(members.map(({ userId }) => userId));
  const list = { pages: useUsers(), wordsOf: wordsOfUser, label: texts.sections.users };
  return (
    <PagedList
      {...list}
      isListed={({ id }) => !known.has(id)}
      row={(user) => (
        <UserChoice key={user.id} user={user} isChosen={chosen.has(user.id)} onToggle={() => toggle(user.id)} />
      )}
    />
  );
}

/** Makes users members. */
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

/** Chooses users who become members. */
function AddMembers({ members, onClose, ...room }: RoomMembers & { readonly onClose: () => void }) {
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

/** The members of a room, their cards, and how members come and go. */
export function Members({ groupId }: { readonly groupId: number }) {
  const { groups } = useOperator();
  const { rooms: texts } = useAdminTexts();
  const list = async (): Promise<readonly MemberView[]> => await groups.members({ groupId });
  const fetched = useFetched(list, [groups, groupId]);
  const room = { groupId, members: fetched.value ?? [], onMembers: fetched.setValue };
  const title = fetched.value === null ? texts.members : texts.memberCount(String(fetched.value.length));
  const add = <Opens label={texts.addMembers}>{(close) => <AddMembers {...room} onClose={close} />}</Opens>;
  const none = <p class="hint">{texts.noMembers}</p>;
  const row = (member: MemberView) => <MemberRow key={member.userId} member={member} {...room} />;
  return (
    <Card title={title} actions={add}>
      <Fetched from={fetched}>{(members) => <HeldList items={members} none={none} row={row} />}</Fetched>
    </Card>
  );
}
