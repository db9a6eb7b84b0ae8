import { useState } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { Check } from "../ui/forms/check.tsx";
import { Command } from "../ui/forms/command.tsx";
import { Field, type FieldProps } from "../ui/forms/field.tsx";
import { submits } from "../ui/forms/form.ts";
import { SubmitButton } from "../ui/forms/submit-button.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import type { Problem } from "../server/problem.ts";

/** Signs in with a token, and reports failures. */
function useSignIn() {
  const { session } = useApp();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const signIn = async (token: string, stays: boolean): Promise<void> => {
    setBusy(true);
    setProblem(null);
    setProblem(await session.signIn(token.trim(), stays));
    setBusy(false);
  };
  return { busy, problem, signIn };
}

const tokenInput: FieldProps["input"] = { name: "token", autocomplete: "current-password", spellcheck: false };

function TokenForm() {
  const texts = useTexts();
  const { busy, problem, signIn } = useSignIn();
  const [token, setToken] = useState("");
  const [stays, setStays] = useState(false);
  const error = problem && texts.problem[problem];
  const line = { label: texts.accessToken, value: token, onValue: setToken, input: tokenInput, error };
  return (
    <form onSubmit={submits(() => void signIn(token, stays))}>
      <Field {...line} secret />
      <StayChoice stays={stays} onStays={setStays} />
      <SubmitButton label={busy ? texts.signingIn : texts.signIn} isReady={!busy} />
    </form>
  );
}

function StayChoice({ stays, onStays }: { readonly stays: boolean; readonly onStays: (stays: boolean) => void }) {
  const texts = useTexts();
  return (
    <Check checked={stays} onChecked={onStays}>
      {texts.staySignedIn}
      <span class="hint">{texts.staySignedInHint}</span>
    </Check>
  );
}

/** Explains how the operator of the server issues a token. */
function TokenHelp() {
  const texts = useTexts();
  return (
    <details>
      <summary>{texts.howToGetToken}</summary>
      <p>{texts.getTokenLead}</p>
      <Command>telex user add alice --issue-token</Command>
      <Command>telex token issue --user 1 --scope chat</Command>
    </details>
  );
}

function Lead() {
  const { session } = useApp();
  const texts = useTexts();
  return (
    <>
      <h1>
        {texts.product} <span>{texts.teleprinter}</span>
      </h1>
      <p>{session.ended.value ? texts.sessionEnded : texts.signInLead}</p>
    </>
  );
}

export const SignIn = () => (
  <main class="sign-in" id="content">
    <div class="slip paper">
      <Tape>{"   TELEX   TELEX   TELEX   "}</Tape>
      <Lead />
      <TokenForm />
      <TokenHelp />
    </div>
  </main>
);
