import type { ConversationView } from "@telex/core";
import { useState } from "preact/hooks";
import { useApp, useTexts } from "../context.ts";
import { chatHome } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { Icon } from "../ui/icon.tsx";
import { useChat } from "./context.ts";
import { useChatTexts, useTroubleText } from "./texts.ts";
import { troubleOf } from "./trouble.ts";

interface Props {
  readonly conversation: ConversationView;
  readonly onClose: () => void;
}

/** Does something immediately, and says what was done, or why it was not. */
function useDoing(): (work: Promise<void>, done?: string) => Promise<boolean> {
  const { notices } = useApp();
  const troubleText = useTroubleText();
  return async (work, done) => {
    try {
      await work;
      if (done !== undefined) notices.say(done);
      return true;
    } catch (error) {
      notices.say(troubleText(troubleOf(error)));
      return false;
    }
  };
}

function RenameDialog({ conversation, onClose }: Props) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const doing = useDoing();
  const [title, setTitle] = useState(conversation.title);
  const submit = (event: Event): void => {
    event.preventDefault();
    void doing(chat.conversations.amend(conversation.id, { title }));
    onClose();
  };
  return (
    <Dialog title={shared.rename} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label={texts.title}
          value={title}
          onValue={setTitle}
          first
          input={{ maxlength: 200, autocomplete: "off" }}
        />
        <FormActions submit={shared.save} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function DeleteDialog({ conversation, onClose }: Props) {
  const { chat } = useChat();
  const { router } = useApp();
  const texts = useChatTexts();
  const shared = useTexts();
  const doing = useDoing();
  const { id, title } = conversation;
  const remove = async (): Promise<void> => {
    router.go(chatHome, "replace");
    if (await doing(chat.conversations.remove(id), texts.deleted(title))) chat.forget(id);
  };
  return (
    <Dialog title={texts.deleteQuestion(title)} onClose={onClose}>
      <p>{texts.deleteWarning}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => void remove()}>
          {texts.delete}
        </button>
        <button type="button" onClick={onClose} autofocus>
          {shared.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** What else can be done with a conversation. */
export function TalkMenu({ conversation }: { readonly conversation: ConversationView }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const shared = useTexts();
  const doing = useDoing();
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  const { id, title, status } = conversation;
  const archive = (): void => {
    const done = status === 0 ? texts.archivedNow(title) : texts.takenBack(title);
    void doing(chat.conversations.amend(id, { status: status === 0 ? 1 : 0 }), done);
  };
  const hide = { type: "button", popovertarget: "talk-menu", popovertargetaction: "hide" } as const;
  return (
    <>
      <button type="button" class="plain" popovertarget="talk-menu" aria-label={texts.menu(title)}>
        <Icon shape="more" />
      </button>
      <div id="talk-menu" class="panel menu" popover="auto" role="group" aria-label={texts.menu(title)}>
        <button {...hide} onClick={() => setOpen("rename")}>
          {shared.rename}
        </button>
        <button {...hide} onClick={archive}>
          {status === 0 ? texts.archive : texts.takeBack}
        </button>
        <button {...hide} onClick={() => setOpen("delete")}>
          {texts.delete}
        </button>
      </div>
      {open === "rename" && <RenameDialog conversation={conversation} onClose={close} />}
      {open === "delete" && <DeleteDialog conversation={conversation} onClose={close} />}
    </>
  );
}
