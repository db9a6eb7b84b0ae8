import type { MessageView } from "@telex/core";
import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../ui/forms/button.tsx";
import { focusInstead } from "../../ui/lists/arrows.ts";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useRoomTexts } from "../content/texts.ts";
import { useReact } from "./reactions.tsx";
import "../styles/emoji.css";

/** The emoji to choose from: faces, hands and hearts, nature, food, occasions, things and signs. */
const board = `
  😀 😄 😁 😅 😂 🤣 🙂 😉 😊 😇 🥰 😍 🤩 😘 😋 😜 🤔 🤨 😐 🙄 😏 😴 😌 😎 🤓 😕 🙁 😮 😳 🥺 😢 😭 😱 😤 😡 🤯 🥳 😬 🤗 🤭 🤫 🤝
  👍 👎 👌 ✌️ 🤞 👏 🙌 🙏 💪 👋 👀 🫡 ❤️ 🧡 💛 💚 💙 💜 🖤 💔 💯 🔥 ✨ ⭐ ⚡ ☀️ ☁️ 🌧️ ❄️ 🌈 🌊 🌙 🌸 🌻 🌲 🍀 🐶 🐱 🐼 🐟 🐝 🦋
  ☕ 🍵 🍺 🍷 🥂 🍎 🍋 🍓 🍞 🍜 🍚 🥟 🍕 🎂 🍪 🎉 🎊 🎁 🎈 🏆 🥇 ⚽ 🎵 🎸 🎨 🎬 📷 🚲 🚗 🚌 🚆 ✈️ ⛵ 🏠 🏔️ 🏖️
  🖨️ 💻 📱 📞 📝 📎 📌 📅 📦 📬 🔑 🔒 🔧 💡 ⏰ 🚀 🐛 ✅ ❌ ❗ ❓ ⚠️ 🚧 🆗 🔴 🟢 🔵
`;

const emoji = board.trim().split(/\s+/);

/** Moves the focus in the grid with the arrow keys. */
function moveInGrid(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const columns = buttons.filter(({ offsetTop }) => offsetTop === buttons[0]?.offsetTop).length;
  const steps: Partial<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  };
  const step = steps[event.key];
  const at = buttons.findIndex((one) => one === document.activeElement);
  if (step !== undefined && at >= 0) focusInstead(event, buttons[at + step] ?? null);
}

interface EmojiDialogProps {
  readonly message: MessageView;
  readonly onClose: () => void;
}

/** Reacts to a message with one of many emoji. The arrow keys move between them. */
export function EmojiDialog({ message, onClose }: EmojiDialogProps) {
  const texts = useRoomTexts();
  const react = useReact(message);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector("button")?.focus(), []);
  const choose = (one: string): void => {
    react(one);
    onClose();
  };
  const buttons = emoji.map((one) => (
    <Button key={one} aria-label={texts.reactWith(one)} onClick={() => choose(one)}>
      {one}
    </Button>
  ));
  return (
    <Dialog title={texts.react} onClose={onClose}>
      <div class="board" ref={box} onKeyDown={moveInGrid}>
        {buttons}
      </div>
    </Dialog>
  );
}
