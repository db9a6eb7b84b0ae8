import type { InvitationView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useApp, useFormat } from "../app/context.ts";
import type { RoomView } from "../rooms/content/api.ts";
import { fetchPages } from "../rooms/state/pages.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Invite } from "./invite.tsx";
import { Section } from "../ui/panes/sections.tsx";
import { useInvitationTexts } from "./texts/invitations.ts";

/** The type of Telex's own rooms. Invitations to other rooms are not possible. */
const chatRoom = 1;

/** The maximum number of rooms that are checked, in the order of their last use. */
const mostRooms = 1000;

const canInviteInto = ({ groupType, role, archived }: RoomView): boolean =>
  groupType === chatRoom && role !== "member" && !archived;

/** The valid invitations of the person, the rooms that they manage, and a function to revoke an invitation. */
function useInvitations() {
  const { accounts, server } = useAccount();
  const { now } = useApp();
  const invitations = useLoaded(() => accounts.invitations({ limit: 1000 }), [accounts]);
  const rooms = useLoaded(async () => {
    const { list } = await fetchPages<RoomView>((at) => server.rooms.list({ pageSize: 100, ...at }), mostRooms);
    return list.filter(canInviteInto);
  }, [server]);
  const revoke = async (id: string): Promise<void> => {
    await accounts.revokeInvitation({ id });
    await invitations.reload();
  };
  const isOpen = ({ used, uses, expiresAt, revoked }: InvitationView): boolean =>
    !revoked && used < uses && Date.parse(expiresAt) > now.value;
  const open = invitations.value?.filter(isOpen) ?? [];
  const error = invitations.error ?? rooms.error;
  return { open, rooms: rooms.value, error, revoke, reload: () => void invitations.reload() };
}

interface RowProps {
  readonly invitation: InvitationView;
  readonly onRevoke: () => Promise<void>;
}

function InvitationRow({ invitation: { createdAt, used, uses, expiresAt }, onRevoke }: RowProps) {
  const texts = useInvitationTexts();
  const format = useFormat();
  const name = texts.madeOn(format.day(Date.parse(createdAt)));
  const revoke = async (): Promise<string> => {
    await onRevoke();
    return texts.revoked;
  };
  const question = { label: texts.revoke, title: texts.revokeTitle, lead: texts.revokeLead, work: revoke };
  return (
    <li>
      <p>
        <strong>{name}</strong>
      </p>
      <p class="hint">{texts.used(used, uses, format.day(Date.parse(expiresAt)))}</p>
      <Danger {...question} about={name} />
    </li>
  );
}

/** Invitations into rooms that the person manages. Admins have their own form. */
export function Invitations() {
  const texts = useInvitationTexts();
  const { open, rooms, error, revoke, reload } = useInvitations();
  const keptFocus = useKeptFocus();
  return (
    <Section title={texts.title} count={open.length}>
      <p>{texts.lead}</p>
      <ErrorText text={error} />
      <ul {...keptFocus} class="tokens">
        {open.map((one) => (
          <InvitationRow key={one.id} invitation={one} onRevoke={() => revoke(one.id)} />
        ))}
      </ul>
      {rooms?.length === 0 && <p class="quiet">{texts.noRoom}</p>}
      {rooms !== null && rooms.length > 0 && <Invite rooms={rooms} onMade={reload} />}
    </Section>
  );
}
