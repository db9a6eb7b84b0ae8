import type { MessageView } from "@telex/core";
import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { createLazy } from "../../ui/panes/lazy.tsx";
import { useRoomTexts } from "../content/texts.ts";
import type { MessageAction } from "./use-actions.ts";

const QuickEmoji = createLazy(async () => (await import("./quick-emoji.tsx")).QuickEmoji);

interface ActionsProps {
  readonly message: MessageView;
  readonly actions: readonly MessageAction[];
  readonly canReact: boolean;
  readonly onMore: () => void;
}

/** The actions for a message, at its upper corner, for pointer and keyboard. */
export function Actions({ message, actions, canReact, onMore }: ActionsProps) {
  const texts = useRoomTexts();
  const [picks, setPicks] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // Loaded before it is asked for.
  useEffect(() => (canReact ? QuickEmoji.prepare() : undefined), [canReact]);
  const done = (): void => {
    box.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
    setPicks(false);
  };
  const buttons = actions.map(({ shape, name, run }) => (
    <IconButton key={name} shape={shape} label={name} title={name} onClick={run} />
  ));
  return (
    <div class="acts" role="group" aria-label={texts.actions} ref={box}>
      {picks && <QuickEmoji message={message} onDone={done} onMore={onMore} />}
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
