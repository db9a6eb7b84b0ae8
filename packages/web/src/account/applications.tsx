import type { ApplicationView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useAgo } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useApplicationTexts } from "./texts/applications.ts";

/** The applications with access to the account, and a function to revoke it. */
function useApplications() {
  const { accounts } = useAccount();
  const { value, error, reload } = useLoaded(async () => (await accounts.applications({})).list, [accounts]);
  const end = async (id: string): Promise<null> => {
    await accounts.endApplication({ id });
    await reload();
    return null;
  };
  return { list: value, error, end };
}

const devicePrefix = "device:";

/** The scopes of an application, in words. */
function Scopes({ scopes }: Pick<ApplicationView, "scopes">) {
  const texts = useApplicationTexts();
  const wordsOf = (scope: string): string =>
    scope.startsWith(devicePrefix) ? texts.device(scope.slice(devicePrefix.length)) : (texts.scopes[scope] ?? scope);
  return <p>{scopes.map(wordsOf).join(" · ")}</p>;
}

interface RowProps {
  readonly application: ApplicationView;
  readonly onEnd: () => Promise<null>;
}

function ApplicationRow({ application: { client, scopes, createdAt }, onEnd }: RowProps) {
  const texts = useApplicationTexts();
  const ago = useAgo();
  const question = { title: texts.endTitle(client.name), lead: texts.endLead, work: onEnd };
  return (
    <li>
      <p>
        <strong dir="auto">{client.name}</strong>
      </p>
      <Scopes scopes={scopes} />
      <p class="hint">{texts.since(ago(Date.parse(createdAt)))}</p>
      <Danger label={texts.end} about={client.name} {...question} />
    </li>
  );
}

/** Applications and programs with access to the account. */
export function Applications() {
  const texts = useApplicationTexts();
  const { list, error, end } = useApplications();
  const keptFocus = useKeptFocus();
  return (
    <Section title={texts.title} count={list?.length}>
      <p>{texts.lead}</p>
      <ErrorText text={error} />
      {list?.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul {...keptFocus} class="tokens">
        {(list ?? []).map((application) => (
          <ApplicationRow key={application.id} application={application} onEnd={() => end(application.id)} />
        ))}
      </ul>
    </Section>
  );
}
