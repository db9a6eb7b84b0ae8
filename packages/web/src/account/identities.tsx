import type { AccountClient, IdentityView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useAgo } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { useAction } from "../ui/actions/use-action.ts";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useIdentityTexts } from "./texts/identities.ts";

type Identities = Awaited<ReturnType<AccountClient["identities"]>>;
type Provider = Identities["providers"][number];

const none: Identities = { list: [], providers: [] };

/** The linked identities, and a function to unlink one. */
function useIdentities() {
  const { accounts } = useAccount();
  const { value, error, reload } = useLoaded(() => accounts.identities({}), [accounts]);
  const unlink = async (issuer: string): Promise<null> => {
    await accounts.unlinkIdentity({ issuer });
    await reload();
    return null;
  };
  return { ...(value ?? none), error, unlink };
}

interface RowProps {
  readonly identity: IdentityView;
  readonly onUnlink: () => Promise<string | null>;
}

function IdentityRow({ identity: { provider, name, linkedAt }, onUnlink }: RowProps) {
  const texts = useIdentityTexts();
  const ago = useAgo();
  const question = { title: texts.unlinkTitle(provider), lead: texts.unlinkLead(provider), work: onUnlink };
  return (
    <li>
      <p>
        <strong>{provider}</strong> <bdi>{name}</bdi>
      </p>
      <p class="hint">{texts.linked(ago(Date.parse(linkedAt)))}</p>
      <Danger label={texts.unlink} about={provider} {...question} />
    </li>
  );
}

async function link(accounts: ReturnType<typeof useAccount>["accounts"], provider: string): Promise<null> {
  const { redirectTo } = await accounts.linkIdentity({ provider });
  location.assign(redirectTo);
  return null;
}

/** Starts linking an identity. The browser goes to the provider, which redirects back to this page. */
function LinkButton({ provider: { id, name } }: { readonly provider: Provider }) {
  const { accounts } = useAccount();
  const texts = useIdentityTexts();
  const action = useAction();
  return (
    <>
      <Button disabled={action.busy} onClick={() => action.run(() => link(accounts, id))}>
        {texts.link(name)}
      </Button>
      <ErrorText text={action.text} />
    </>
  );
}

/** Accounts at other providers that the person signs in with. Hidden if there is neither a provider nor an identity. */
export function Identities() {
  const texts = useIdentityTexts();
  const { list, providers, error, unlink } = useIdentities();
  const keptFocus = useKeptFocus();
  const others = providers.filter(({ name }) => !list.some(({ provider }) => provider === name));
  if (list.length + providers.length === 0) return <ErrorText text={error} />;
  return (
    <Section title={texts.title}>
      <p>{texts.lead}</p>
      <ErrorText text={error} />
      <ul {...keptFocus} class="tokens">
        {list.map((identity) => (
          <IdentityRow key={identity.issuer} identity={identity} onUnlink={() => unlink(identity.issuer)} />
        ))}
      </ul>
      <div class="actions">
        {others.map((provider) => (
          <LinkButton key={provider.id} provider={provider} />
        ))}
      </div>
    </Section>
  );
}
