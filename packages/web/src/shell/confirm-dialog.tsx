import { useMemo, useState } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { connectAccounts } from "../server/accounts.ts";
import { problemOf } from "../server/problem.ts";
import { isCode } from "../server/server.ts";
import { Field } from "../ui/forms/field.tsx";
import { ConfirmElsewhere } from "./confirm-elsewhere.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";

/** Shows the password to the server, and says what is wrong with it. */
function useConfirm(onConfirmed: () => void) {
  const { origin, preferences } = useApp();
  const texts = useTexts();
  const language = preferences.spoken.value;
  const accounts = useMemo(() => connectAccounts({ origin, language, token: null }), [origin, language]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const confirm = async (password: string): Promise<void> => {
    setBusy(true);
    try {
      await accounts.confirm({ password });
      onConfirmed();
    } catch (cause) {
      setError(isCode(cause, "not_confirmed") ? texts.passwordWrong : texts.problem[problemOf(cause)]);
      setBusy(false);
    }
  };
  return { accounts, busy, error, confirm };
}

function Question({ answer }: { readonly answer: (confirmed: boolean) => void }) {
  const texts = useTexts();
  const [password, setPassword] = useState("");
  const { accounts, busy, error, confirm } = useConfirm(() => answer(true));
  const line = { label: texts.password, value: password, onValue: setPassword, error } as const;
  return (
    <FormDialog
      title={texts.confirmTitle}
      lead={texts.confirmLead}
      submit={texts.confirm}
      busy={busy}
      onSubmit={() => void confirm(password)}
      onClose={() => answer(false)}
    >
      <Field {...line} input={{ name: "password", autocomplete: "current-password" }} secret first />
      <ConfirmElsewhere accounts={accounts} />
    </FormDialog>
  );
}

/** Asks for the password before what needs it: signing in was long ago. */
export function ConfirmDialog() {
  const { confirmation } = useApp();
  const answer = confirmation.open.value;
  return answer && <Question answer={answer} />;
}
