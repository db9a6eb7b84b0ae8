import type { MessageView } from "@telex/core";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { QuickEmoji } from "./quick-emoji.tsx";
import type { MessageAction } from "./use-actions.ts";

interface SheetProps {
  readonly message: MessageView;
  readonly actions: readonly MessageAction[];
  readonly canReact: boolean;
  readonly onClose: () => void;
  readonly onMore: () => void;
}

/** The actions for a message on a phone, after a long press. */
export function Sheet({ message, actions, canReact, onClose, onMore }: SheetProps) {
  const texts = useRoomTexts();
  const rows = actions.map(({ shape, name, run }) => {
    const choose = (): void => {
      onClose();
      run();
    };
    return (
      <Button key={name} onClick={choose}>
        <Icon shape={shape} />
        {name}
      </Button>
    );
  });
  return (
    <Dialog title={texts.messageOf(message.nickname)} onClose={onClose} look="sheet-up">
      {canReact && <QuickEmoji message={message} onDone={onClose} onMore={onMore} />}
      <div class="rows">{rows}</div>
    </Dialog>
  );
}
