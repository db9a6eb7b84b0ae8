import { useAccount } from "../app/account.ts";
import type { RoomView } from "../rooms/content/api.ts";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { type FormEntries, optionsOf, type Read } from "../ui/actions/form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { useInvitationTexts } from "./texts/invitations.ts";

const day = 86_400;
const lives = { week: 7 * day, day, month: 30 * day } as const;
const lifeNames = ["week", "day", "month"] as const;

type Entry = "groups" | "uses" | "life";

interface InviteProps {
  readonly rooms: readonly RoomView[];
  readonly onMade: () => void;
}

function InviteForm({ rooms, onMade, onClose }: InviteProps & { readonly onClose: () => void }) {
  const { accounts } = useAccount();
  const texts = useInvitationTexts();
  const options = rooms.map(({ groupId, groupName }) => ({ value: groupId, name: groupName }));
  const entries: FormEntries<Entry> = {
    groups: { kind: "select", label: texts.room, options },
    uses: { label: texts.uses, input: { inputmode: "numeric", pattern: "[1-9][0-9]{0,3}" } },
    life: { kind: "select", label: texts.life, options: optionsOf(lifeNames, texts.lives) },
  };
  const issue = async (read: Read<Entry>): Promise<string> => {
    const life = lives[lifeNames.find((one) => one === read("life")) ?? "week"];
    const { url } = await accounts.invite({ groups: [Number(read("groups"))], uses: Number(read("uses")), life });
    onMade();
    return url;
  };
  const words = { title: texts.invite, lead: texts.inviteLead, submit: texts.invite };
  const shown = { title: texts.made, lead: texts.madeLead };
  const initial = { groups: String(rooms[0]?.groupId ?? ""), uses: "1", life: "week" };
  return <SecretForm {...words} {...{ entries, initial, shown, issue, onClose }} />;
}

/** Creates an invitation into a room that the person manages, and shows its link once. */
export function Invite(props: InviteProps) {
  const { invite } = useInvitationTexts();
  return (
    <div class="actions">
      <Opens label={invite}>{(close) => <InviteForm {...props} onClose={close} />}</Opens>
    </div>
  );
}
