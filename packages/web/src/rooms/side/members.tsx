import { useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { Button } from "../../ui/forms/button.tsx";
import type { MemberView, RoomView } from "../content/api.ts";
import { nameOf } from "../content/mention.ts";
import { useRoomTexts } from "../content/texts.ts";
import type { Room } from "../state/room.ts";
import { MemberDialog } from "./member-dialog.tsx";

function MemberFace({ member }: { readonly member: MemberView }) {
  const texts = useRoomTexts();
  const { avatar, nickname, card, role, online } = member;
  return (
    <>
      <img class="face" src={`${avatar}&size=80`} alt="" loading="lazy" width={32} height={32} />
      <span class="name" dir="auto">
        {nameOf(member)}
        {card !== null && <span class="hint">{nickname}</span>}
      </span>
      {role !== "member" && <span class="role">{texts.roles[role]}</span>}
      <span class={online ? "presence on" : "presence"}>{online ? texts.online : texts.offline}</span>
    </>
  );
}

interface MemberProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly member: MemberView;
}

function OtherMember({ room, view, member }: MemberProps) {
  const texts = useRoomTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Button class="entry" title={texts.member(nameOf(member))} onClick={() => setOpen(true)}>
        <MemberFace member={member} />
      </Button>
      {isOpen && <MemberDialog {...{ room, view, member }} onClose={() => setOpen(false)} />}
    </li>
  );
}

/** A member. The dialog opens for everyone except the person and people of external networks. */
function Member({ room, view, member }: MemberProps) {
  const { person } = useAccount();
  const isOther = member.userId !== null && member.userId !== String(person.userId);
  if (isOther) return <OtherMember {...{ room, view, member }} />;
  return (
    <li class="entry">
      <MemberFace member={member} />
    </li>
  );
}

const rank = { owner: 0, moderator: 1, member: 2 } as const;

/** Owners and moderators first. */
const byRole = (members: readonly MemberView[]): readonly MemberView[] =>
  members.toSorted((a, b) => rank[a.role] - rank[b.role]);

export function Members({ room, view }: Omit<MemberProps, "member">) {
  const texts = useRoomTexts();
  const members = byRole(room.members.value);
  return (
    <section>
      <h3>
        {texts.membersTitle} <span class="mono">{view.memberCount}</span>
      </h3>
      <ul class="people">
        {members.map((member) => (
          <Member key={member.userId ?? member.ext} {...{ room, view, member }} />
        ))}
      </ul>
    </section>
  );
}
