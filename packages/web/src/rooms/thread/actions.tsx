import { useAccount } from "../../app/account.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { useCopy } from "../../ui/forms/use-copy.ts";
import { useProblemText, useTelling } from "../../ui/forms/use-telling.ts";
import { plainText, readContent } from "../content/content.ts";
import { isBy } from "../content/sender.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Row } from "./rows.ts";

interface ActionsProps {
  readonly row: Row;
  readonly onQuote: (messageId: number) => void;
}

/** Milliseconds within which a message can be recalled. */
const recallTime = 120_000;

function RecallButton({ row }: Pick<ActionsProps, "row">) {
  const rooms = useRooms();
  const { recall, recalled } = useRoomTexts();
  const telling = useTelling(useProblemText());
  const run = (): void => void telling(rooms.recall(row.message), recalled);
  return <IconButton shape="recall" label={recall} title={recall} onClick={run} />;
}

function CopyButton({ text }: { readonly text: string }) {
  const shared = useTexts();
  const copy = useCopy(text, shared.copied);
  return copy && <IconButton shape="copy" label={shared.copy} title={shared.copy} onClick={copy} />;
}

/** The actions on a message. */
export function Actions({ row, onQuote }: ActionsProps) {
  const { person } = useAccount();
  const { now } = useApp();
  const texts = useRoomTexts();
  const { createTime, messageId, content } = row.message;
  const text = plainText(readContent(content));
  const isRecallable = isBy(row.message, String(person.userId)) && now.value - createTime < recallTime;
  return (
    <div class="acts" role="group" aria-label={texts.actions}>
      <IconButton shape="reply" label={texts.quote} title={texts.quote} onClick={() => onQuote(messageId)} />
      {text !== "" && <CopyButton text={text} />}
      {isRecallable && <RecallButton row={row} />}
    </div>
  );
}
