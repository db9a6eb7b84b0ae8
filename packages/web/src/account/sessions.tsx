import type { SessionView } from "@telex/auth-server/client";
import { useEffect, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useAgo, useApp } from "../app/context.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { type Task, useTask } from "../ui/forms/use-task.ts";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Section } from "./section.tsx";
import { useAccountTexts } from "./texts/texts.ts";

/** The sessions of the person, and how they are ended. */
function useSessions(task: Task) {
  const { accounts } = useAccount();
  const { notices } = useApp();
  const texts = useAccountTexts();
  const [sessions, setSessions] = useState<readonly SessionView[]>([]);
  const load = async (): Promise<void> => setSessions((await accounts.sessions({})).list);
  useEffect(() => task.run(load), [accounts]);
  const end = async (ended: readonly SessionView[]): Promise<void> => {
    for (const { id } of ended) await accounts.endSession({ id });
    await load();
    notices.say(texts.ended);
  };
  return { sessions, end: (...ended: readonly SessionView[]) => task.run(() => end(ended)) };
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

/** The browsers in which the person is signed in. */
export function Sessions() {
  const texts = useAccountTexts();
  const task = useTask();
  const { sessions, end } = useSessions(task);
  const keptFocus = useKeptFocus();
  const others = sessions.filter(({ current }) => !current);
  return (
    <Section title={texts.sessions}>
      <p>{texts.sessionsLead}</p>
      <ErrorText text={task.error} />
      <ul {...keptFocus} class="tokens">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} busy={task.busy} onEnd={() => end(session)} />
        ))}
      </ul>
      {others.length > 1 && (
        <div class="actions">
          <Button class="danger" disabled={task.busy} onClick={() => end(...others)}>
            {texts.endOthers}
          </Button>
        </div>
      )}
    </Section>
  );
}
