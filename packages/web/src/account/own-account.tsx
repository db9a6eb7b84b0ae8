import type { AccountView } from "@telex/auth-server/client";
import { useEffect, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useTask } from "../ui/forms/use-task.ts";
import { Applications } from "./applications.tsx";
import { Identities } from "./identities.tsx";
import { Invitations } from "./invitations.tsx";
import { Passkeys } from "./passkeys/passkeys.tsx";
import { Profile, SigningIn } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";

/** The account of a person who is signed in by cookie: a token opens none of this. */
export function OwnAccount() {
  const { accounts } = useAccount();
  const task = useTask();
  const [account, setAccount] = useState<AccountView | null>(null);
  useEffect(() => task.run(async () => setAccount(await accounts.show({}))), [accounts]);
  if (account === null) return <ErrorText text={task.error} />;
  const props = { account, onAccount: setAccount };
  return (
    <>
      <Profile {...props} />
      <SigningIn {...props} />
      <Passkeys />
      <Identities />
      <Sessions />
      <Applications />
      {account.canInvite && account.role === null && <Invitations />}
    </>
  );
}
