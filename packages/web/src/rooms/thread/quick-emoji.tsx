import type { MessageView } from "@telex/core";
import { Button } from "../../ui/forms/button.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useReact } from "./reactions.tsx";

const quickEmoji = ["👍", "❤️", "😂", "🎉", "🙏", "👀"] as const;

interface QuickEmojiProps {
  readonly message: MessageView;
  readonly onDone: () => void;
  /** Opens all emoji. */
  readonly onMore: () => void;
}

/** The emoji for quick reactions. */
export function QuickEmoji({ message, onDone, onMore }: QuickEmojiProps) {
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
  return (
    <div class="quickly">
      {buttons}
      <IconButton shape="plus" label={texts.moreEmoji} title={texts.moreEmoji} onClick={onMore} />
    </div>
  );
}
