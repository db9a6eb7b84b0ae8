import type { AccountSummary } from "@telex/auth-server/client";
import { Danger } from "../ui/actions/danger.tsx";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { Card } from "./parts/card.tsx";
import { useAccounts, useOperator } from "./parts/context.ts";
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

/** Makes the person an admin, or ends that. */
function Role({
  account: { id, role },
  onChanged,
}: {
  readonly account: AccountSummary;
  readonly onChanged: () => void;
}) {
  const { users } = useOperator();
  const { account: texts } = useAdminTexts();
  const [next, words] = role === null ? (["admin", texts.promotion] as const) : ([null, texts.demotion] as const);
  const change = async (): Promise<string> => {
    await users.amend({ id, role: next });
    onChanged();
    return words.done;
  };
  return <Danger look="" label={words.label} title={words.title} lead={words.lead} work={change} />;
}

/** The account of a user: username, role, sessions, and a recovery link for a lost password. Hidden if the user has no account. */
export function UserAccount({ userId }: UserProps) {
  const accounts = useAccounts();
  const texts = useAdminTexts().account;
  const fetch = () => Promise.all([accounts.account({ id: userId }), accounts.sessions({ id: userId })]);
  const { value, load } = useFetched(fetch, [accounts, userId]);
  if (value === null) return null;
  const [account, { list }] = value;
  const username = texts.username(account.username);
  const end = async (): Promise<string> => {
    await accounts.endSessions({ id: userId });
    load();
    return texts.ended;
  };
  return (
    <Card title={texts.title}>
      <p>{account.role === null ? username : `${username} · ${texts.admin}`}</p>
      <p>{texts.sessions(list.length)}</p>
      <div class="actions">
        <Recovery userId={userId} />
        <Role account={account} onChanged={load} />
        {list.length > 0 && <Danger label={texts.end} title={texts.endTitle} lead={texts.endLead} work={end} />}
      </div>
    </Card>
  );
}
