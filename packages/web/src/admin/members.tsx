import type { UserView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useState } from "preact/hooks";
import { useApp, useTexts } from "../context.ts";
import { adminPath } from "../route.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, Opens, textOr } from "./form.tsx";
import { PagedList, Trouble, useFetched } from "./list.tsx";
import { useAdminTexts } from "./texts.ts";
import { useAction } from "./use-action.ts";
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

const nameOf = ({ card, nickname }: MemberView): string => card ?? nickname;

function Card({ groupId, member, onMembers, onClose }: MemberProps & { readonly onClose: () => void }) {
  const { groups } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { userId, nickname, card } = member;
  return (
    <DialogForm
      title={texts.rooms.cardOf(nickname)}
      lead={texts.rooms.cardLead}
      entries={[{ kind: "text", name: "card", label: texts.rooms.card, optional: true, input: { maxlength: 128 } }]}
      initial={{ card: card ?? "" }}
      submit={shared.save}
      onSubmit={async (read) => {
        onMembers(await groups.card({ groupId, userId, card: textOr(read("card"), null) }));
        notices.say(texts.saved);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function MemberRow(props: MemberProps) {
  const { groupId, member, onMembers } = props;
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const { userId, nickname, card } = member;
  const name = nameOf(member);
  const title = texts.rooms.takeOutTitle(name);
  const takeOut = async (): Promise<void> => onMembers(await groups.amendMembers({ groupId, remove: [userId] }));
  const question = { about: name, title, lead: texts.rooms.takeOutLead, confirm: texts.rooms.takeOut };
  return (
    <li>
      <p class="first">
        <a class="name" href={adminPath("users", userId)} dir="auto">
          {name}
        </a>
      </p>
      <p class="hint">{[texts.number(userId), ...(card === null ? [] : [nickname])].join(" · ")}</p>
      <div class="actions links">
        <Opens look="link" label={texts.rooms.card} about={name}>
          {(close) => <Card {...props} onClose={close} />}
        </Opens>
        <Danger look="link" label={texts.rooms.takeOut} {...question} work={takeOut} />
      </div>
    </li>
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
    <label class="check">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span>
        <span dir="auto">{user.nickname}</span>
        <span class="hint">{aboutUser(user, texts)}</span>
      </span>
    </label>
  );
}

/** Chooses users who are not members yet. */
function AddMembers({ groupId, members, onMembers, onClose }: RoomMembers & { readonly onClose: () => void }) {
  const { groups } = useOperator();
  const { notices } = useApp();
  const texts = useAdminTexts();
  const action = useAction();
  const users = useUsers();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const known = new Set(members.map(({ userId }) => userId));
  const toggle = (id: number): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const add = async (): Promise<void> => {
    onMembers(await groups.amendMembers({ groupId, add: [...chosen] }));
    notices.say(texts.rooms.joined(chosen.size));
    onClose();
  };
  const form = { title: texts.rooms.addMembers, lead: texts.rooms.addLead, onClose };
  return (
    <FormDialog
      {...form}
      submit={texts.rooms.addChosen(chosen.size)}
      busy={action.busy || chosen.size === 0}
      onSubmit={() => action.run(add)}
    >
      <PagedList
        pages={users}
        wordsOf={wordsOfUser}
        isListed={({ id }) => !known.has(id)}
        label={texts.sections.users}
        keyOf={({ id }) => id}
        row={(user) => <UserChoice user={user} isChosen={chosen.has(user.id)} onToggle={() => toggle(user.id)} />}
      />
      <ErrorText text={action.text} />
    </FormDialog>
  );
}

/** Rows that are drawn at first, and with each press. */
const drawnRows = 100;

/** The members of a room, their cards, and how members come and go. */
export function Members({ groupId }: { readonly groupId: number }) {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const [shown, setShown] = useState(drawnRows);
  const { value, setValue, failure, load } = useFetched<readonly MemberView[]>(
    () => groups.members({ groupId }),
    [groups, groupId],
  );
  const room = { groupId, members: value ?? [], onMembers: setValue };
  return (
    <section class="card" aria-labelledby="members">
      <h3 id="members">{value === null ? texts.rooms.members : texts.rooms.memberCount(String(value.length))}</h3>
      <Trouble failure={failure} onAgain={load} />
      {value?.length === 0 && <p class="hint">{texts.rooms.noMembers}</p>}
      <ul class="held">
        {room.members.slice(0, shown).map((member) => (
          <MemberRow key={member.userId} member={member} {...room} />
        ))}
      </ul>
      {room.members.length > shown && <LinkButton onClick={() => setShown(shown + drawnRows)}>{texts.more}</LinkButton>}
      <div class="actions">
        <Opens label={texts.rooms.addMembers}>{(close) => <AddMembers {...room} onClose={close} />}</Opens>
      </div>
    </section>
  );
}
