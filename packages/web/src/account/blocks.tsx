import type { AccountClient } from "@telex/auth-server/client";
import { useAccount } from "../app/account.ts";
import { useApp } from "../app/context.ts";
import { useLoaded } from "../ui/actions/use-loaded.ts";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useTask } from "../ui/forms/use-task.ts";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useOtherTexts } from "./texts/others.ts";

type Blocked = Awaited<ReturnType<AccountClient["groups"]["blocks"]>>["list"][number];

/** The blocked people, and a function to unblock one. */
function useBlocks() {
  const { groups } = useAccount().accounts;
  const { notices } = useApp();
  const texts = useOtherTexts();
  const { value, error, reload } = useLoaded(async () => (await groups.blocks({})).list, [groups]);
  const task = useTask();
  const end = async ({ userId, nickname }: Blocked): Promise<void> => {
    await groups.unblock({ userId: Number(userId) });
    await reload();
    notices.show(texts.unblocked(nickname));
  };
  const unblock = (blocked: Blocked): void => task.run(() => end(blocked));
  return { list: value, busy: task.busy, error: task.error ?? error, unblock };
}

export function Blocks() {
  const texts = useOtherTexts();
  const { list, busy, error, unblock } = useBlocks();
  const focus = useKeptFocus();
  return (
    <Section title={texts.blocks} count={list?.length}>
      <p>{texts.blocksLead}</p>
      <ErrorText text={error} />
      {list?.length === 0 && <p class="quiet">{texts.noBlocks}</p>}
      <ul {...focus} class="tokens">
        {(list ?? []).map((blocked) => (
          <li key={blocked.userId}>
            <strong dir="auto">{blocked.nickname}</strong>
            <Button aria-label={texts.unblockOf(blocked.nickname)} disabled={busy} onClick={() => unblock(blocked)}>
              {texts.unblock}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
