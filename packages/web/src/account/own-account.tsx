import type { AccountView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { Applications } from "./applications.tsx";
import { Blocks } from "./blocks.tsx";
import { Identities } from "./identities.tsx";
import { Invitations } from "./invitations.tsx";
import { NoticeChoices } from "./notice-choices.tsx";
import { Passkeys } from "./passkeys/passkeys.tsx";
import { Profile, SigningIn } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";

interface OwnAccountProps {
  /** Null until it is loaded. */
  readonly account: AccountView | null;
  readonly onAccount: (account: AccountView) => void;
}

/** The settings of a person who is signed in by cookie. A token cannot change them. */
export function OwnAccount({ account, onAccount }: OwnAccountProps) {
  const { accounts } = useAccount();
  const { error } = useLoaded(async () => onAccount(await accounts.show({})), [accounts]);
  if (account === null) return <ErrorText text={error} />;
  const props = { account, onAccount };
  return (
    <>
      <Profile {...props} />
      <SigningIn {...props} />
      <Passkeys />
      <Identities />
      <Sessions />
      <Applications />
      <NoticeChoices />
      <Blocks />
      {account.canInvite && account.role === null && <Invitations />}
    </>
  );
}
