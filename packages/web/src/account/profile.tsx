import type { AccountView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useAgo, useApp } from "../app/context.ts";
import { Form, type Read } from "../ui/actions/form.tsx";
import { useAction } from "../ui/actions/use-action.ts";
import { FileButton } from "../ui/files/file-button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { Section } from "../ui/panes/sections.tsx";
import { useAccountTexts } from "./texts/texts.ts";

interface AccountProps {
  readonly account: AccountView;
  readonly onAccount: (account: AccountView) => void;
}

function Picture({ onAccount }: Pick<AccountProps, "onAccount">) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const { busy, text, run } = useAction();
  const change = ([file]: readonly File[]): void => {
    if (file === undefined) return;
    run(async () => {
      await accounts.putAvatar({ file });
      onAccount(await accounts.show({}));
      return texts.saved;
    });
  };
  return (
    <>
      <div class="actions">
        <FileButton look="" name={texts.changePicture} accept="image/*" busy={busy} onFiles={change} />
      </div>
      <ErrorText text={text} />
    </>
  );
}

/** The nickname that others see, and the username for signing in. */
export function Profile({ account, onAccount }: AccountProps) {
  const { accounts } = useAccount();
  const { session } = useApp();
  const texts = useAccountTexts();
  const entries = {
    nickname: { label: texts.nickname, hint: texts.nicknameHint, input: { maxlength: 64 } },
    username: { label: texts.username, hint: texts.usernameHint, input: { maxlength: 64, autocapitalize: "none" } },
  } as const;
  const { nickname, username } = account;
  const save = async (read: Read<"nickname" | "username">): Promise<string> => {
    onAccount(await accounts.amend({ nickname: read("nickname").trim(), username: read("username").trim() }));
    await session.check();
    return texts.saved;
  };
  return (
    <Section title={texts.profile}>
      <Picture onAccount={onAccount} />
      <Form entries={entries} initial={{ nickname, username }} submit={texts.save} onSubmit={save} />
    </Section>
  );
}

/** The last use of a recovery link, which another person created. */
function Recovered({ account: { recovered } }: Pick<AccountProps, "account">) {
  const texts = useAccountTexts();
  const ago = useAgo();
  return recovered && <p class="hint">{texts.recovered(ago(Date.parse(recovered.usedAt)))}</p>;
}

export function SigningIn({ account, onAccount }: AccountProps) {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const entries = {
    password: {
      label: texts.newPassword,
      hint: texts.newPasswordHint,
      secret: true,
      input: { autocomplete: "new-password" },
    },
  } as const;
  const change = async (read: Read<"password">): Promise<string> => {
    onAccount(await accounts.setPassword({ password: read("password") }));
    return texts.passwordChanged;
  };
  return (
    <Section title={texts.signingIn}>
      <Recovered account={account} />
      <Form entries={entries} submit={texts.changePassword} onSubmit={change} />
    </Section>
  );
}
