import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { useAccount, useTexts } from "../context.ts";
import { countCharacters } from "../teleprinter/count.ts";
import { FileButton } from "../ui/file-button.tsx";
import { submits } from "../ui/form.ts";
import { takesUploads } from "../ui/given-files.ts";
import { KeysHint, TextBox } from "../ui/text-box.tsx";
import { UploadList } from "../ui/upload-list.tsx";
import { createUploads, type Uploads } from "../ui/uploads.ts";
import type { RoomView } from "./api.ts";

import { segmentsOf } from "./compose.ts";
import { useRooms } from "./context.ts";
import { MentionList, useMentions } from "./mention-list.tsx";
import { QuoteAbove } from "./quote-above.tsx";
import type { Room } from "./room.ts";
import { useRoomTexts } from "./texts.ts";

/** What a composer needs. */
interface ComposerProps {
  readonly room: Room;
  readonly view: RoomView;
  /** The message that is quoted, or null. */
  readonly quoted: number | null;
  readonly onQuoted: (messageId: number | null) => void;
}

/** Code points of the texts of one message. */
const longestMessage = 10_000;
/** They are counted from this number on. */
const counted = 9000;

function Counter({ used }: { readonly used: number }) {
  const texts = useTexts();
  if (used < counted) return null;
  return (
    <p class="counter" role="status">
      {texts.characters(used, longestMessage)}
      {used > longestMessage && <strong> {texts.tooLong(used - longestMessage)}</strong>}
    </p>
  );
}

/** What is put together, and how it is sent. */
function useComposing({ room, quoted, onQuoted }: ComposerProps, uploads: Uploads) {
  const { drafts, send } = useRooms();
  const draft = drafts.of(String(room.groupId));
  const files = uploads.files.value;
  const used = draft.value.length < counted ? draft.value.length : countCharacters(draft.value);
  const isReady = files.every(({ stored }) => stored !== null) && used <= longestMessage;
  const fits = isReady && (files.length > 0 || draft.value.trim() !== "");
  return {
    draft,
    used,
    fits,
    send: (): void => {
      if (!fits) return;
      send(room.groupId, segmentsOf({ text: draft.value, members: room.members.peek(), files, quoted }));
      draft.value = "";
      uploads.clear();
      onQuoted(null);
    },
  };
}

/** Goes to the last message, from where the arrow keys lead on. */
function focusLastMessage(): boolean {
  const last = [...document.querySelectorAll<HTMLElement>(".said [data-id]")].at(-1);
  last?.focus();
  return last !== undefined;
}

/** The files that are attached; those on their way are given up with the composer. */
function useAttachedFiles(): Uploads {
  const { upload } = useAccount();
  const uploads = useMemo(() => createUploads(upload), [upload]);
  useEffect(() => uploads.clear, [uploads]);
  return uploads;
}

/** The box for the words. It takes the focus when a message is quoted. */
function useBox(quoted: number | null) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (quoted !== null) box.current?.focus();
  }, [quoted]);
  return box;
}

/** Where a message is put together: typed (kept as a draft with every key), attached, quoted. */
export function Composer(props: ComposerProps) {
  const { room, view, quoted, onQuoted } = props;
  const texts = useRoomTexts();
  const shared = useTexts();
  const id = useId();
  const box = useBox(quoted);
  const uploads = useAttachedFiles();
  const { draft, used, fits, send } = useComposing(props, uploads);
  const mentions = useMentions(box, draft, room.members.value);
  const input = {
    placeholder: texts.write(view.groupName),
    "aria-label": texts.write(view.groupName),
    "aria-describedby": `${id}-keys`,
    "aria-invalid": used > longestMessage ? "true" : undefined,
    ...mentions.input,
  } as const;
  const sendNow = (): void => {
    send();
    box.current?.focus();
  };
  return (
    <form {...takesUploads(uploads)} class="say" onSubmit={submits(sendNow)}>
      {quoted !== null && <QuoteAbove room={room} view={view} messageId={quoted} onDrop={() => onQuoted(null)} />}
      <UploadList uploads={uploads} label={texts.attached} />
      <MentionList mentions={mentions} />
      <TextBox
        box={box}
        draft={draft}
        onSend={sendNow}
        onEscape={() => onQuoted(null)}
        onKey={(event) =>
          mentions.onKey(event) || (event.key === "ArrowUp" && draft.value === "" && focusLastMessage())
        }
        input={input}
      />
      <button type="submit" class="primary" disabled={!fits}>
        {shared.send}
      </button>
      <div class="beneath">
        <FileButton shape="clip" name={texts.attach} multiple onFiles={uploads.add} />
        <KeysHint id={`${id}-keys`} />
        <Counter used={used} />
      </div>
    </form>
  );
}
