import type { InvitationView } from "@telex/auth-server/client";
import type { GroupView } from "@telex/core";
import { useApp, useFormat } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { type FormEntries, optionsOf, type Read } from "../ui/actions/form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { useAccounts, useOperator } from "./parts/context.ts";
import { type FetchedState, useFetched } from "./parts/fetched.tsx";
import { ItemList, ItemRow } from "./parts/item-list.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

const day = 86_400;
const lives = { week: 7 * day, day, month: 30 * day } as const;
const lifeNames = ["week", "day", "month"] as const;
const mostRooms = 200;
/** The type of Telex's own rooms. Invitations to other rooms are not possible. */
const chatRoom = 1;

type Entry = "nickname" | "groups" | "uses" | "life";

/** The invitations of the server. On servers without accounts, loading them fails. */
export function useInvitations(): FetchedState<readonly InvitationView[]> {
  const accounts = useAccounts();
  return useFetched<readonly InvitationView[]>(() => accounts.invitations({ limit: 1000 }), [accounts]);
}

function entriesOf({ invitations: texts }: AdminTexts, rooms: readonly GroupView[]): FormEntries<Entry> {
  const options = [
    { value: "", name: texts.noRoom },
    ...rooms.filter(({ groupType }) => groupType === chatRoom).map(({ groupId, name }) => ({ value: groupId, name })),
  ];
  return {
    nickname: { label: texts.nickname, hint: texts.nicknameHint, optional: true, input: { maxlength: 64 } },
    groups: { kind: "select", label: texts.room, options },
    uses: { label: texts.uses, input: { inputmode: "numeric", pattern: "[1-9][0-9]{0,3}" } },
    life: { kind: "select", label: texts.life, options: optionsOf(lifeNames, texts.lives) },
  };
}

const invitationOf = (read: Read<Entry>) => ({
  ...(read("nickname").trim() !== "" && { nickname: read("nickname").trim() }),
  groups: read("groups") === "" ? [] : [Number(read("groups"))],
  uses: Number(read("uses")),
  life: lives[lifeNames.find((one) => one === read("life")) ?? "week"],
});

interface InviteProps {
  readonly onMade: () => void;
}

function InviteForm({ onMade, onClose }: InviteProps & { readonly onClose: () => void }) {
  const accounts = useAccounts();
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const { value: rooms } = useFetched(() => groups.list({ limit: mostRooms }), [groups]);
  const { invite: title, lead, made, madeLead } = texts.invitations;
  const issue = async (read: Read<Entry>): Promise<string> => {
    const { url } = await accounts.invite(invitationOf(read));
    onMade();
    return url;
  };
  const form = { title, lead, submit: title, shown: { title: made, lead: madeLead }, issue, onClose };
  return <SecretForm entries={entriesOf(texts, rooms ?? [])} initial={{ uses: "1", life: "week" }} {...form} />;
}

/** Creates an invitation, and shows its link once. */
export function Invite({ onMade }: InviteProps) {
  const { invite } = useAdminTexts().invitations;
  return (
    <Opens label={invite} look="primary">
      {(close) => <InviteForm onMade={onMade} onClose={close} />}
    </Opens>
  );
}

interface RowProps {
  readonly invitation: InvitationView;
  readonly onRevoked: () => void;
}

function InvitationRow({ invitation: { id, nickname, createdAt, used, uses, expiresAt }, onRevoked }: RowProps) {
  const accounts = useAccounts();
  const texts = useAdminTexts().invitations;
  const format = useFormat();
  const made = texts.madeOn(format.day(Date.parse(createdAt)));
  const name = nickname === null ? made : texts.madeFor(nickname);
  const revoke = async (): Promise<string> => {
    await accounts.revokeInvitation({ id });
    onRevoked();
    return texts.revoked;
  };
  const question = { label: texts.revoke, title: texts.revokeTitle, lead: texts.revokeLead, about: name, work: revoke };
  return (
    <ItemRow name={name} about={texts.used(used, uses, format.day(Date.parse(expiresAt)))}>
      <Danger {...question} look="link" />
    </ItemRow>
  );
}

const isOpen = ({ used, uses, expiresAt, revoked }: InvitationView, now: number): boolean =>
  !revoked && used < uses && Date.parse(expiresAt) > now;

/** The valid invitations, with a button to revoke each. */
export function Invitations({ from }: { readonly from: FetchedState<readonly InvitationView[]> }) {
  const { now } = useApp();
  const texts = useAdminTexts();
  const open = from.value?.filter((one) => isOpen(one, now.value)) ?? [];
  if (open.length === 0) return null;
  return (
    <section class="invitations" aria-label={texts.invitations.title}>
      <h3>{texts.invitations.title}</h3>
      <ItemList
        items={open}
        none={null}
        row={(one) => <InvitationRow key={one.id} invitation={one} onRevoked={from.load} />}
      />
    </section>
  );
}
