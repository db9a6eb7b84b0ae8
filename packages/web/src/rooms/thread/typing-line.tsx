import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

export function TypingLine({ groupId }: { readonly groupId: number }) {
  const texts = useRoomTexts();
  const { typers } = useRooms().typing;
  const names = typers.value.filter((typer) => typer.groupId === groupId).map(({ nickname }) => nickname);
  if (names.length === 0) return null;
  return (
    <span class="typing">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {texts.typing(names)}
    </span>
  );
}
