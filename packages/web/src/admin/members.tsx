import { useTexts } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Fetched, useFetched } from "./parts/fetched.tsx";
import { textOrNull } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ItemList, ItemRow } from "./parts/item-list.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { type MemberView, type RoomMembers, AddMembers } from "./add-members.tsx";

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
    <ItemRow name={name} href={adminPath("users", userId)} about={about}>
      <Opens look="link" label={texts.rooms.card} about={name}>
        {(close) => <NameCard {...props} onClose={close} />}
      </Opens>
      <TakeOut userId={userId} name={name} {...props} />
    </ItemRow>
  );
}

/** The members of a room, their cards, and how to add and remove them. */
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
      <Fetched from={fetched}>{(members) => <ItemList items={members} none={none} row={row} />}</Fetched>
    </Card>
  );
}
