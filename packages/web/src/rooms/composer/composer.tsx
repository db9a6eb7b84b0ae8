import type { ComponentProps, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { FileButton } from "../../ui/files/file-button.tsx";
import { submits } from "../../ui/forms/form.ts";
import { takesUploads } from "../../ui/files/given-files.ts";
import { LateCounter, lengthOf, type LengthLimit } from "../../ui/forms/late-counter.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { KeysHint, TextBox } from "../../ui/forms/text-box.tsx";
import { useOpenedBox } from "../../ui/forms/typing.ts";
import { UploadList } from "../../ui/files/upload-list.tsx";
import { createUploads, type Uploads } from "../../ui/files/uploads.ts";
import type { RoomView } from "../content/api.ts";

import { segmentsOf } from "../content/compose.ts";
import { useRooms } from "../state/context.ts";
import { MentionList, useMentions } from "./mention-list.tsx";
import { QuoteAbove } from "./quote-above.tsx";
import type { Room } from "../state/room.ts";
import { useRoomTexts } from "../content/texts.ts";

interface ComposerProps {
  readonly room: Room;
  readonly view: RoomView;
  readonly quoted: number | null;
  readonly onQuoted: (messageId: number | null) => void;
}

/** Limits for the text of one message, in code points. */
const limit: LengthLimit = { longest: 10_000, counted: 9000 };

/** The message being written, and the action that sends it. */
function useComposing({ room, quoted, onQuoted }: ComposerProps, uploads: Uploads) {
  const { drafts, send } = useRooms();
  const draft = drafts.of(String(room.groupId));
  const files = uploads.files.value;
  const used = lengthOf(draft.value, limit);
  const isReady = files.every(({ stored }) => stored !== null) && used <= limit.longest;
  const fits = isReady && (files.length > 0 || draft.value.trim() !== "");
  const sendAll = (): void => {
    if (!fits) return;
    send(room.groupId, segmentsOf({ text: draft.value, members: room.members.peek(), files, quoted }));
    draft.value = "";
    uploads.clear();
    onQuoted(null);
  };
  return { draft, used, fits, send: sendAll };
}

/** Focuses the last message, from where the arrow keys move further. */
function focusLastMessage(): boolean {
  const last = [...document.querySelectorAll<HTMLElement>(".message-list [data-id]")].at(-1);
  last?.focus();
  return last !== undefined;
}

/** The attached files. Unmounting the composer cancels uploads in progress. */
function useAttachedFiles(): Uploads {
  const { upload } = useAccount();
  const uploads = useMemo(() => createUploads(upload), [upload]);
  useEffect(() => uploads.clear, [uploads]);
  return uploads;
}

/** The text box. It gets the focus when the room is opened, and when a message is quoted. */
function useBox({ room, quoted }: ComposerProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useOpenedBox(box, room, useApp().router.route.value.messageId);
  useLayoutEffect(() => {
    if (quoted !== null) box.current?.focus();
  }, [quoted]);
  return box;
}

interface WordsProps extends Pick<ComponentProps<typeof TextBox>, "box" | "draft" | "isTooLong" | "onSend"> {
  readonly composer: ComposerProps;
}

/** Tells the other members that the person is typing when the text grows. */
function useTellTyping(groupId: number, text: string): void {
  const { typing } = useRooms();
  const lastLength = useRef(text.length);
  useEffect(() => {
    if (text.length > lastLength.current) typing.announce(groupId);
    lastLength.current = text.length;
  }, [typing, groupId, text]);
}

/** The text box with the list of members to mention. */
function Words({ composer: { room, view, onQuoted }, ...given }: WordsProps) {
  const texts = useRoomTexts();
  const { box, draft } = given;
  const mentions = useMentions(box, draft, room.members.value);
  const onKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean =>
    mentions.onKey(event) || (event.key === "ArrowUp" && draft.value === "" && focusLastMessage());
  useTellTyping(room.groupId, draft.value);
  const keys = { onKey, onEscape: () => onQuoted(null) };
  return (
    <>
      <MentionList mentions={mentions} />
      <TextBox {...given} {...keys} label={texts.write(view.groupName)} completion={mentions.input} />
    </>
  );
}

const Beneath = ({ used }: { readonly used: number }) => (
  <div class="beneath">
    <KeysHint />
    <LateCounter used={used} limit={limit} look="counter" />
  </div>
);

function Attached({ composer, uploads }: { readonly composer: ComposerProps; readonly uploads: Uploads }) {
  const texts = useRoomTexts();
  const { room, view, quoted, onQuoted } = composer;
  return (
    <>
      {quoted !== null && <QuoteAbove room={room} view={view} messageId={quoted} onDrop={() => onQuoted(null)} />}
      <UploadList uploads={uploads} label={texts.attached} />
    </>
  );
}

/** Composes a message with a quote and files. Every change is saved as a draft. */
export function Composer(composer: ComposerProps) {
  const box = useBox(composer);
  const uploads = useAttachedFiles();
  const { draft, used, fits, send } = useComposing(composer, uploads);
  const sendNow = (): void => {
    send();
    box.current?.focus();
  };
  const words = { composer, box, draft, isTooLong: used > limit.longest, onSend: sendNow };
  return (
    <form {...takesUploads(uploads)} class="message-box" onSubmit={submits(sendNow)}>
      <div class="box">
        <Attached composer={composer} uploads={uploads} />
        <FileButton shape="clip" look="plain" name={useRoomTexts().attach} isDrawn multiple onFiles={uploads.add} />
        <Words {...words} />
        <SubmitButton label={useTexts().send} isReady={fits} />
      </div>
      <Beneath used={used} />
    </form>
  );
}
