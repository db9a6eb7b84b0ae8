import { useSignal } from "@preact/signals";
import type { MessageView } from "@telex/core";
import { useTexts } from "../../app/context.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { submits } from "../../ui/forms/form.ts";
import { FormActions } from "../../ui/forms/form-actions.tsx";
import { TextBox } from "../../ui/forms/text-box.tsx";
import { useFocusedBox } from "../../ui/forms/typing.ts";
import { segmentsOf } from "../content/compose.ts";
import { plainText, readContent } from "../content/content.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";

interface EditFormProps {
  readonly room: Room;
  readonly message: MessageView;
  readonly onClose: () => void;
}

/** The ID of the quoted message, or null. */
const quotedBy = ({ content }: MessageView): number | null =>
  readContent(content).flatMap((segment) => (segment.kind === "reply" ? [segment.messageId] : []))[0] ?? null;

export function EditForm({ room, message, onClose }: EditFormProps) {
  const texts = useRoomTexts();
  const { save } = useTexts();
  const { amends } = useRooms();
  const draft = useSignal(plainText(readContent(message.content)));
  const box = useFocusedBox();
  const { busy, text, run } = useAction();
  const edit = async (): Promise<null> => {
    const words = { text: draft.peek(), members: room.members.peek(), files: [], quoted: quotedBy(message) };
    await amends.edit(message, segmentsOf(words));
    onClose();
    return null;
  };
  const send = (): void => run(edit);
  const fits = draft.value.trim() !== "";
  return (
    <form class="editing" onSubmit={submits(send)}>
      <TextBox box={box} draft={draft} label={texts.editLabel} isTooLong={false} onSend={send} onEscape={onClose} />
      <ErrorText text={text} />
      <FormActions submit={save} busy={busy} isReady={fits} onCancel={onClose} />
    </form>
  );
}
