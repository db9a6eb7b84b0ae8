import { useAccount } from "../app/account.ts";
import { Opens } from "../ui/actions/dialog-form.tsx";
import { type FormEntries, optionsOf, type Read } from "../ui/actions/form.tsx";
import { SecretForm } from "../ui/actions/secret.tsx";
import { useAccountTexts } from "./texts/texts.ts";
import type { AccountTexts } from "./texts/type.ts";

const day = 86_400;
const lives = { quarter: 90 * day, day, month: 30 * day, year: 365 * day } as const;
const lifeNames = ["quarter", "day", "month", "year"] as const;
const scopes = ["chat", "profile"] as const;

type Entry = "name" | "scope" | "life";

const entriesOf = (texts: AccountTexts): FormEntries<Entry> => ({
  name: { label: texts.tokenName, hint: texts.tokenNameHint, input: { maxlength: 64 } },
  scope: { kind: "select", label: texts.scope, options: optionsOf(scopes, texts.scopes) },
  life: { kind: "select", label: texts.life, options: optionsOf(lifeNames, texts.lives) },
});

interface NewTokenProps {
  readonly onIssued: () => void;
}

function IssueForm({ onIssued, onClose }: NewTokenProps & { readonly onClose: () => void }) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const issue = async (read: Read<Entry>): Promise<string> => {
    const scope = scopes.find((one) => one === read("scope")) ?? "profile";
    const life = lifeNames.find((one) => one === read("life")) ?? "quarter";
    const { token } = await accounts.issueToken({ name: read("name").trim(), scopes: [scope], expires: lives[life] });
    onIssued();
    return token;
  };
  const words = { title: texts.newToken, lead: texts.newTokenLead, submit: texts.newToken };
  const shown = { title: texts.issued, lead: texts.issuedLead };
  const initial = { scope: "chat", life: "quarter" };
  return <SecretForm {...words} {...{ shown, issue, onClose, initial }} entries={entriesOf(texts)} />;
}

/** Issues an access token, and shows it once. */
export function NewToken(props: NewTokenProps) {
  const texts = useAccountTexts();
  return (
    <div class="actions">
      <Opens label={texts.newToken}>{(close) => <IssueForm {...props} onClose={close} />}</Opens>
    </div>
  );
}
