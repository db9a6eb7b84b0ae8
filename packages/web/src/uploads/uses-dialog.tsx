import type { MessageView, OwnFileView } from "@telex/core";
import { useEffect, useMemo } from "preact/hooks";
import { signal } from "@preact/signals";
import { useAccount } from "../app/account.ts";
import { useTexts } from "../app/context.ts";
import { roomPath } from "../app/route.ts";
import { createAttempts } from "../base/attempts.ts";
import { problemOf } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Dialog } from "../ui/panes/dialog.tsx";
import { Ago } from "../ui/lists/when.tsx";
import { nameOf } from "./name.ts";
import { useFileTexts } from "./texts.ts";

/** The messages that use a file, page by page. */
function createUses({ uses }: Pick<Server["messages"], "uses">, md5: string) {
  const list = signal<readonly MessageView[] | null>(null);
  const next = signal<string | null>(null);
  const { problem, attempt } = createAttempts(problemOf);
  const load = (): Promise<void> =>
    attempt(async () => {
      const cursor = next.peek();
      const page = await uses({ md5, ...(cursor !== null && { cursor }) });
      list.value = [...(list.peek() ?? []), ...page.list];
      next.value = page.nextCursor;
    });
  return { list, next, problem, load };
}

function Use({ message }: { readonly message: MessageView }) {
  const { groupId, groupName, messageId, nickname, createTime } = message;
  return (
    <li>
      <a href={roomPath(groupId, messageId)}>{groupName}</a>
      <span class="hint">
        {nickname}, <Ago at={createTime} />
      </span>
    </li>
  );
}

/** The messages in the person's rooms that use a file. */
export function UsesDialog({ file, onClose }: { readonly file: OwnFileView; readonly onClose: () => void }) {
  const { messages } = useAccount().server;
  const shared = useTexts();
  const texts = useFileTexts();
  const { list, next, problem, load } = useMemo(() => createUses(messages, file.file_id), [messages, file.file_id]);
  useEffect(() => void load(), [load]);
  const failure = problem.value;
  return (
    <Dialog title={texts.whereOf(nameOf(file))} look="uses" onClose={onClose}>
      <p class="hint">{texts.usesLead}</p>
      <ErrorText text={failure && shared.problem[failure]} />
      {list.value?.length === 0 && next.value === null && <p>{texts.noUse}</p>}
      <ul class="names">
        {list.value?.map((message) => (
          <Use key={message.messageId} message={message} />
        ))}
      </ul>
      {next.value !== null && <LinkButton onClick={() => void load()}>{texts.more}</LinkButton>}
    </Dialog>
  );
}
