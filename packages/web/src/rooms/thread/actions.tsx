import type { MessageView } from "@telex/core";
import { useRef, useState } from "preact/hooks";
import { Button } from "../../ui/forms/button.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { quickEmoji, useReact } from "./reactions.tsx";
import type { MessageAction } from "./use-actions.ts";

/** The emoji for quick reactions. */
export function QuickEmoji({ message, onDone }: { readonly message: MessageView; readonly onDone: () => void }) {
  const texts = useRoomTexts();
  const react = useReact(message);
  const choose = (emoji: string): void => {
    react(emoji);
    onDone();
  };
  const buttons = quickEmoji.map((emoji) => (
    <Button key={emoji} aria-label={texts.reactWith(emoji)} onClick={() => choose(emoji)}>
      {emoji}
    </Button>
  ));
  return <div class="quickly">{buttons}</div>;
}

interface ActionsProps {
  readonly message: MessageView;
  readonly actions: readonly MessageAction[];
  readonly canReact: boolean;
}

/** The actions for a message, at its upper corner, for pointer and keyboard. */
export function Actions({ message, actions, canReact }: ActionsProps) {
  const texts = useRoomTexts();
  const [picks, setPicks] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const done = (): void => {
    box.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
    setPicks(false);
  };
  const buttons = actions.map(({ shape, name, run }) => (
    <IconButton key={name} shape={shape} label={name} title={name} onClick={run} />
  ));
  return (
    <div class="acts" role="group" aria-label={texts.actions} ref={box}>
      {picks && <QuickEmoji message={message} onDone={done} />}
      {canReact && (
        <IconButton
          shape="smile"
          label={texts.react}
          title={texts.react}
          aria-expanded={picks}
          onClick={() => setPicks(!picks)}
        />
      )}
      {buttons}
    </div>
  );
}
