import type { ConversationView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { chatHome } from "../app/route.ts";
import { DangerDialog } from "../ui/panes/danger-dialog.tsx";
import { Field, type FieldProps } from "../ui/forms/field.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";
import { Menu, type MenuItem } from "../ui/lists/menu.tsx";
import { useReport } from "../ui/forms/use-report.ts";
import { useChat } from "./context.ts";
import type { ExportForm } from "./export.ts";
import { useChatTexts, useTroubleText } from "./texts.ts";
import { troubleOf } from "./state/trouble.ts";

interface Props {
  readonly conversation: ConversationView;
  readonly onClose: () => void;
}

/** Runs an action immediately, and reports success or failure. */
function useDoing() {
  const troubleText = useTroubleText();
  return useReport((error) => troubleText(troubleOf(error)));
}

const titleInput: FieldProps["input"] = { maxlength: 200, autocomplete: "off" };

function RenameDialog({ conversation, onClose }: Props) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const doing = useDoing();
  const [title, setTitle] = useState(conversation.title);
  const submit = (): void => {
    void doing(chat.conversations.amend(conversation.id, { title }));
    onClose();
  };
  return (
    <FormDialog title={shared.rename} submit={shared.save} onSubmit={submit} onClose={onClose}>
      <Field label={texts.title} value={title} onValue={setTitle} first input={titleInput} />
    </FormDialog>
  );
}

function DeleteDialog({ conversation: { id, title }, onClose }: Props) {
  const { chat } = useChat();
  const { router } = useApp();
  const texts = useChatTexts();
  const doing = useDoing();
  const words = { title: texts.deleteQuestion(title), confirm: texts.delete };
  const remove = async (): Promise<void> => {
    router.go(chatHome, "replace");
    if (await doing(chat.conversations.remove(id), texts.deleted(title))) chat.forget(id);
  };
  return (
    <DangerDialog {...words} onConfirm={() => void remove()} onClose={onClose}>
      <p>{texts.deleteWarning}</p>
    </DangerDialog>
  );
}

/** Archives or unarchives a conversation. */
function useArchive({ id, title, status }: ConversationView): MenuItem {
  const { chat } = useChat();
  const texts = useChatTexts();
  const doing = useDoing();
  const [name, done, next] =
    status === 0
      ? [texts.archive, texts.archivedNow(title), 1 as const]
      : [texts.takeBack, texts.takenBack(title), 0 as const];
  return { name, onChoose: () => void doing(chat.conversations.amend(id, { status: next }), done) };
}

/** Downloads a conversation. The code for this is loaded on first use. */
function useExport(conversation: ConversationView): readonly MenuItem[] {
  const page = useAccount().server.ai.conversationMessages;
  const texts = useChatTexts();
  const doing = useDoing();
  const save = async (form: ExportForm): Promise<void> => {
    const { saveConversation } = await import("./export.ts");
    await saveConversation(conversation, form, { page, texts });
  };
  return [
    { name: texts.saveAsMarkdown, onChoose: () => void doing(save("markdown")) },
    { name: texts.saveAsJson, onChoose: () => void doing(save("json")) },
  ];
}

export function TalkMenu({ conversation }: { readonly conversation: ConversationView }) {
  const texts = useChatTexts();
  const shared = useTexts();
  const archive = useArchive(conversation);
  const exports = useExport(conversation);
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  const rename = { name: shared.rename, onChoose: () => setOpen("rename") };
  const remove = { name: texts.delete, onChoose: () => setOpen("delete") };
  return (
    <>
      <Menu id="talk-menu" label={texts.menu(conversation.title)} items={[rename, ...exports, archive, remove]} />
      {open === "rename" && <RenameDialog conversation={conversation} onClose={close} />}
      {open === "delete" && <DeleteDialog conversation={conversation} onClose={close} />}
    </>
  );
}
