import type { SessionView } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useAgo, useApp } from "../app/context.ts";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useTask } from "../ui/forms/use-task.ts";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useAccountTexts } from "./texts/texts.ts";

/** The sessions of the person, and functions to end them. */
function useSessions() {
  const { accounts } = useAccount();
  const { notices } = useApp();
  const texts = useAccountTexts();
  const { value, error, reload } = useLoaded(async () => (await accounts.sessions({})).list, [accounts]);
  const task = useTask();
  const end = async (ended: readonly SessionView[]): Promise<void> => {
    for (const { id } of ended) await accounts.endSession({ id });
    await reload();
    notices.show(texts.ended);
  };
  const endAll = (...ended: readonly SessionView[]): void => task.run(() => end(ended));
  return { sessions: value ?? [], busy: task.busy, error: task.error ?? error, end: endAll };
}

interface SessionRowProps {
  readonly session: SessionView;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const texts = useAccountTexts();
  const ago = useAgo();
  const { browser, address, lastUsed, current } = session;
  return (
    <li>
      <p>
        <strong>{browser}</strong> {current && <span class="hint">{texts.thisOne}</span>}
      </p>
      <p class="hint">{`${address} · ${ago(Date.parse(lastUsed))}`}</p>
      {!current && (
        <Button disabled={busy} aria-label={texts.endOf(browser)} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}

/** The browsers where the person is signed in. */
export function Sessions() {
  const texts = useAccountTexts();
  const { sessions, busy, error, end } = useSessions();
  const keptFocus = useKeptFocus();
  const others = sessions.filter(({ current }) => !current);
  return (
    <Section title={texts.sessions} count={sessions.length}>
      <p>{texts.sessionsLead}</p>
      <ErrorText text={error} />
      <ul {...keptFocus} class="tokens">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} busy={busy} onEnd={() => end(session)} />
        ))}
      </ul>
      {others.length > 1 && (
        <div class="actions">
          <Button class="danger" disabled={busy} onClick={() => end(...others)}>
            {texts.endOthers}
          </Button>
        </div>
      )}
    </Section>
  );
}
