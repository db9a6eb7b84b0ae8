import type { InvitationView } from "@telex/auth-server/client";
import { useAccount } from "../../app/account.ts";
import { useApp, useFormat } from "../../app/context.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { fetchPages } from "../state/pages.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";

/** The maximum number of links that are fetched, including used ones. */
const mostLinks = 1000;

interface LinkRowProps {
  readonly link: InvitationView;
  readonly onRevoke: () => Promise<void>;
}

function LinkRow({ link: { used, uses, expiresAt }, onRevoke }: LinkRowProps) {
  const texts = useSideTexts();
  const format = useFormat();
  const about = `${texts.linkUsed(used, uses)}, ${texts.linkUntil(format.date(Date.parse(expiresAt)))}`;
  const revoke = async (): Promise<string> => {
    await onRevoke();
    return texts.revoked;
  };
  const question = { label: texts.revoke, title: texts.revokeTitle, lead: texts.revokeLead };
  return (
    <li>
      <span>{about}</span> <Danger look="link" about={about} {...question} work={revoke} />
    </li>
  );
}

/** The active invitation links of a room. */
export function LinksDialog({ view, onClose }: { readonly view: RoomView; readonly onClose: () => void }) {
  const { groups } = useAccount().accounts;
  const { now } = useApp();
  const texts = useSideTexts();
  const { groupId } = view;
  const { value, error, reload } = useLoaded(
    async () =>
      (await fetchPages<InvitationView>((at) => groups.links({ groupId, pageSize: 100, ...at }), mostLinks)).list,
  );
  const revoke = async (id: string): Promise<void> => {
    await groups.revokeLink({ groupId, id });
    await reload();
  };
  const open = value?.filter(
    (link) => !link.revoked && link.used < link.uses && Date.parse(link.expiresAt) > now.value,
  );
  return (
    <Dialog title={texts.links} onClose={onClose}>
      <ErrorText text={error} />
      {open?.length === 0 && <p class="hint">{texts.noLinks}</p>}
      <ul class="names">
        {open?.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={() => revoke(link.id)} />
        ))}
      </ul>
    </Dialog>
  );
}
