import type { AccountClient, AccountView } from "@telex/auth-server/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { connectAccounts } from "../server/accounts.ts";
import { hasPasskeys, signWithPasskey } from "../server/passkeys.ts";
import { isCode } from "../server/server.ts";
import { failureText } from "../ui/actions/use-action.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { Field } from "../ui/forms/field.tsx";
import { ConfirmElsewhere } from "./confirm-elsewhere.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";

type Proof = Parameters<AccountClient["confirm"]>[0];

/** Sends a password or a passkey to the server, and reports its errors. */
function useConfirm(onConfirmed: () => void) {
  const { origin, preferences } = useApp();
  const texts = useTexts();
  const language = preferences.spoken.value;
  const accounts = useMemo(() => connectAccounts({ origin, language, token: null }), [origin, language]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const confirm = async (prove: () => Promise<Proof | null>): Promise<void> => {
    setBusy(true);
    try {
      const proof = await prove();
      if (proof !== null) {
        await accounts.confirm(proof);
        return onConfirmed();
      }
      setError(texts.passkeyNotUsed);
    } catch (cause) {
      setError(isCode(cause, "not_confirmed") ? texts.passwordWrong : failureText(cause, texts));
    }
    setBusy(false);
  };
  const sign = async (): Promise<Proof | null> => {
    const passkey = await signWithPasskey(await accounts.confirmOptions({}));
    return passkey && { passkey };
  };
  return {
    accounts,
    busy,
    error,
    showPassword: (password: string) => void confirm(() => Promise.resolve({ password })),
    showPasskey: () => void confirm(sign),
  };
}

/** The ways in which the person can confirm. Until they are loaded, the dialog asks for the password. */
function useWays(accounts: AccountClient) {
  const [ways, setWays] = useState({ password: true, passkey: false });
  useEffect(() => {
    const show = ({ password, passkeys }: AccountView): void =>
      setWays({ password: password || passkeys === 0, passkey: passkeys > 0 && hasPasskeys() });
    accounts.show({}).then(show, () => {});
  }, [accounts]);
  return ways;
}

/** Asks for the password or a passkey, if the person signed in too long ago for an action. */
export function ConfirmQuestion({ answer }: { readonly answer: (confirmed: boolean) => void }) {
  const texts = useTexts();
  const [password, setPassword] = useState("");
  const { accounts, busy, error, showPassword, showPasskey } = useConfirm(() => answer(true));
  const ways = useWays(accounts);
  const line = { label: texts.password, value: password, onValue: setPassword, error } as const;
  return (
    <FormDialog
      title={texts.confirmTitle}
      lead={texts.confirmLead}
      submit={ways.password ? texts.confirm : texts.confirmWithPasskey}
      busy={busy}
      onSubmit={() => (ways.password ? showPassword(password) : showPasskey())}
      onClose={() => answer(false)}
    >
      {ways.password ? (
        <Field {...line} input={{ name: "password", autocomplete: "current-password" }} secret first />
      ) : (
        <ErrorText text={error} />
      )}
      {ways.password && ways.passkey && (
        <Button disabled={busy} onClick={showPasskey}>
          {texts.confirmWithPasskey}
        </Button>
      )}
      <ConfirmElsewhere accounts={accounts} />
    </FormDialog>
  );
}
