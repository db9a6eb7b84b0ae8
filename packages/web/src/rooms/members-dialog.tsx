import { useEffect } from "preact/hooks";
import { Dialog } from "../ui/panes/dialog.tsx";
import type { MemberView } from "./content/api.ts";
import { nameOf } from "./content/mention.ts";
import type { Room } from "./state/room.ts";
import { useRoomTexts } from "./content/texts.ts";

function Member({ member }: { readonly member: MemberView }) {
  const texts = useRoomTexts();
  const { avatar, nickname, card, online } = member;
  return (
    <li>
      {avatar !== null && <img class="avatar" src={`${avatar}&size=64`} alt="" loading="lazy" width={32} height={32} />}
      <span class="name" dir="auto">
        {nameOf(member)}
        {card !== null && <span class="hint">{nickname}</span>}
      </span>
      {online && <span class="presence on">{texts.online}</span>}
    </li>
  );
}

/** The members of a room. */
export function MembersDialog({ room, onClose }: { readonly room: Room; readonly onClose: () => void }) {
  const texts = useRoomTexts();
  useEffect(() => void room.loadMembers(), [room]);
  return (
    <Dialog title={texts.membersTitle} onClose={onClose}>
      <ul class="members">
        {room.members.value.map((member) => (
          <Member key={member.userId ?? member.ext} member={member} />
        ))}
      </ul>
    </Dialog>
  );
}
