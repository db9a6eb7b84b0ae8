import type { AccountClient } from "@telex/auth-server/client";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { useAction } from "../ui/actions/use-action.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";

type Provider = Awaited<ReturnType<AccountClient["identities"]>>["providers"][number];

/** The providers of linked identities, which can confirm without a password. */
function useLinked(accounts: AccountClient): readonly Provider[] {
  const [linked, setLinked] = useState<readonly Provider[]>([]);
  useEffect(() => {
    accounts.identities({}).then(
      ({ list, providers }) => setLinked(providers.filter(({ name }) => list.some((one) => one.provider === name))),
      () => setLinked([]),
    );
  }, [accounts]);
  return linked;
}

async function leave(accounts: AccountClient, provider: string): Promise<null> {
  const { redirectTo } = await accounts.confirmElsewhere({ provider, to: location.pathname });
  location.assign(redirectTo);
  return null;
}

/** The buttons to confirm with an account at another provider. The provider redirects back to this page. */
export function ConfirmElsewhere({ accounts }: { readonly accounts: AccountClient }) {
  const texts = useTexts();
  const linked = useLinked(accounts);
  const action = useAction();
  if (linked.length === 0) return null;
  return (
    <div class="actions">
      {linked.map(({ id, name }) => (
        <Button key={id} disabled={action.busy} onClick={() => action.run(() => leave(accounts, id))}>
          {texts.confirmWith(name)}
        </Button>
      ))}
      <ErrorText text={action.text} />
    </div>
  );
}
