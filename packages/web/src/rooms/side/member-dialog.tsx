import { useAccount } from "../../app/account.ts";
import { useApp } from "../../app/context.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { useChoice } from "../../ui/actions/use-choice.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { createLazy } from "../../ui/panes/lazy.tsx";
import type { MemberView, RoomView } from "../content/api.ts";
import { nameOf } from "../content/mention.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useChatWith } from "../making/use-chat-with.ts";
import type { Role } from "../state/changes.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";

interface MemberDialogProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly member: MemberView;
  readonly onClose: () => void;
}

const Block = createLazy(async () => (await import("./block.tsx")).Block);

const roles: readonly Role[] = ["owner", "moderator", "member"];

/** The role of a member. Owners can change it. */
function RoleChoice({ room, view, member }: Omit<MemberDialogProps, "onClose">) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const give = async (role: Role): Promise<string> => {
    await changes.giveRole(view.groupId, Number(member.userId), role);
    await room.loadMembers();
    return texts.roleGiven(nameOf(member));
  };
  const { shown, error, choose } = useChoice(member.role, give, "roles");
  const onValue = (value: string): void => {
    const role = roles.find((one) => one === value);
    if (role !== undefined) choose(role);
  };
  const options = roles.map((role) => ({ value: role, name: texts.roles[role] }));
  return (
    <Labelled label={texts.role} error={error}>
      {(id) => <Select id={id} value={shown} options={options} onValue={onValue} />}
    </Labelled>
  );
}

/** Removes a member from the room after a confirmation. */
function TakeOut({ room, view, member, onClose }: MemberDialogProps) {
  const texts = useRoomTexts();
  const { changes } = useRooms();
  const name = nameOf(member);
  const takeOut = async (): Promise<string> => {
    await changes.removeMember(view.groupId, Number(member.userId));
    await room.loadMembers();
    onClose();
    return texts.tookOut(name);
  };
  const question = { label: texts.takeOut, title: texts.takeOutTitle(name), lead: texts.takeOutLead };
  return <Danger {...question} work={takeOut} />;
}

/** True if the person may remove this member. */
const canTakeOut = ({ role, groupType, bot }: RoomView, member: MemberView): boolean =>
  groupType === 1 && bot === null && (role === "owner" || (role === "moderator" && member.role === "member"));

/** Opens the private chat with a member. Only servers with accounts have this. */
function Chat({ member }: Pick<MemberDialogProps, "member">) {
  const texts = useRoomTexts();
  const { session } = useApp();
  const chat = useChatWith();
  if (session.way.value !== "accounts") return null;
  const open = (): void => chat.open({ userId: Number(member.userId) });
  return (
    <>
      <Button class="primary" disabled={chat.busy} onClick={open}>
        {texts.privateChat}
      </Button>
      <ErrorText text={chat.text} />
    </>
  );
}

/** A member, with a private chat, the role, a block and the removal. */
export function MemberDialog(props: MemberDialogProps) {
  const { view, member, onClose } = props;
  const texts = useRoomTexts();
  const { person } = useAccount();
  const isOurs = useApp().session.way.value === "accounts";
  const isOwner = view.role === "owner" && view.groupType === 1 && member.userId !== String(person.userId);
  return (
    <Dialog title={nameOf(member)} onClose={onClose}>
      <p class="hint">{[texts.roles[member.role], member.online ? texts.online : texts.offline].join(", ")}</p>
      {isOwner && <RoleChoice {...props} />}
      <div class="actions">
        <Chat member={member} />
        {isOurs && <Block member={member} />}
        {canTakeOut(view, member) && <TakeOut {...props} />}
      </div>
    </Dialog>
  );
}
