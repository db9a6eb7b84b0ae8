import type { OwnTokenView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useAgo, useApp, useFormat, useTexts } from "../app/context.ts";
import type { Texts } from "../i18n/texts.ts";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { useTask } from "../ui/forms/use-task.ts";
import { Button } from "../ui/forms/button.tsx";
import { Section } from "../ui/panes/sections.tsx";
import { DangerDialog } from "../ui/panes/danger-dialog.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { NewToken } from "./new-token.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";

/** When a token was last used, and when it expires. */
function Life({ token }: { readonly token: OwnTokenView }) {
  const texts = useTexts();
  const ago = useAgo();
  const { day } = useFormat();
  const { lastUsedAt, expiresAt } = token;
  const used = lastUsedAt === null ? texts.tokenUnused : texts.tokenUsed(ago(Date.parse(lastUsedAt)));
  const ends = expiresAt === null ? texts.tokenEndless : texts.tokenEnds(day(Date.parse(expiresAt)));
  return <p class="hint">{`${used} · ${ends}`}</p>;
}

interface RowProps {
  readonly token: OwnTokenView;
  readonly onRevoke: (token: OwnTokenView) => Promise<void>;
}

const nameOf = ({ name, id }: OwnTokenView, texts: Texts): string => name ?? texts.tokenNumber(id);

function RevokeDialog({ token, onRevoke, onClose }: RowProps & { readonly onClose: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const name = nameOf(token, texts);
  const confirm = token.current ? texts.revokeAndSignOut : texts.revokeYes(name);
  const revoke = (): Promise<void> => onRevoke(token).then(onClose);
  const question = { title: texts.revokeToken(name), confirm, busy: task.busy, onClose };
  return (
    <DangerDialog {...question} onConfirm={() => task.run(revoke)}>
      <p>{texts.revokeWarning}</p>
      <ErrorText text={task.error} />
    </DangerDialog>
  );
}

/** Revokes a token after a confirmation. */
function Revoke(props: RowProps) {
  const texts = useTexts();
  const [isAsked, setAsked] = useState(false);
  const label = texts.revokeToken(nameOf(props.token, texts));
  return (
    <>
      <Button aria-label={label} onClick={() => setAsked(true)}>
        {texts.revoke}
      </Button>
      {isAsked && <RevokeDialog {...props} onClose={() => setAsked(false)} />}
    </>
  );
}

function TokenRow(props: RowProps) {
  const { token } = props;
  const texts = useTexts();
  return (
    <li>
      <p>
        <strong>{nameOf(token, texts)}</strong> {token.current && <span class="hint">{texts.tokenCurrent}</span>}
      </p>
      <p class="id">{token.scopes.join(" ")}</p>
      <Life token={token} />
      <Revoke {...props} />
    </li>
  );
}

/** The tokens of the person, and a function to revoke one. */
function useTokens() {
  const { users } = useAccount().server;
  const { session, notices } = useApp();
  const texts = useTexts();
  const { value, error, reload } = useLoaded(() => users.tokens(), [users]);
  const revoke = async ({ id, current }: OwnTokenView): Promise<void> => {
    await users.revokeToken({ id });
    if (current) return void (await session.signOut());
    await reload();
    notices.show(texts.tokenRevoked);
  };
  return { tokens: value ?? [], error, revoke, reload };
}

interface TokensProps {
  /** True if the person may issue tokens. A person who signed in with a token may not. */
  readonly canIssue: boolean;
}

/** The person's access tokens. */
export function Tokens({ canIssue }: TokensProps) {
  const texts = useTexts();
  const { tokens, error, revoke, reload } = useTokens();
  const keptFocus = useKeptFocus();
  const rows = tokens.map((token) => <TokenRow key={token.id} token={token} onRevoke={revoke} />);
  return (
    <Section title={texts.accessTokens} count={tokens.length}>
      <p>{texts.accessTokensLead}</p>
      <ErrorText text={error} />
      <ul {...keptFocus} class="tokens">
        {rows}
      </ul>
      {canIssue && <NewToken onIssued={() => void reload()} />}
    </Section>
  );
}
