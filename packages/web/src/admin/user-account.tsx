import { Danger } from "../ui/actions/danger.tsx";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { Card } from "./parts/card.tsx";
import { useAccounts } from "./parts/context.ts";
import { useFetched } from "./parts/fetched.tsx";
import { useAdminTexts } from "./texts/texts.ts";

interface UserProps {
  readonly userId: number;
}

/** Creates a recovery link, and shows it once. */
function Recovery({ userId }: UserProps) {
  const accounts = useAccounts();
  const texts = useAdminTexts().account;
  const { recovery: title, recoveryLead: lead, recoveryMade, recoveryMadeLead } = texts;
  const shown = { title: recoveryMade, lead: recoveryMadeLead };
  const issue = async (): Promise<string> => (await accounts.recovery({ id: userId })).url;
  return (
    <Opens label={title}>
      {(close) => <SecretForm entries={{}} {...{ title, lead, shown, issue }} submit={title} onClose={close} />}
    </Opens>
  );
}

/** The account of a user: sessions, and a recovery link for a lost password. Hidden if the user has no account. */
export function UserAccount({ userId }: UserProps) {
  const accounts = useAccounts();
  const texts = useAdminTexts().account;
  const { value: sessions, load } = useFetched(() => accounts.sessions({ id: userId }), [accounts, userId]);
  if (sessions === null) return null;
  const end = async (): Promise<string> => {
    await accounts.endSessions({ id: userId });
    load();
    return texts.ended;
  };
  return (
    <Card title={texts.title}>
      <p>{texts.sessions(sessions.list.length)}</p>
      <div class="actions">
        <Recovery userId={userId} />
        {sessions.list.length > 0 && (
          <Danger label={texts.end} title={texts.endTitle} lead={texts.endLead} work={end} />
        )}
      </div>
    </Card>
  );
}
