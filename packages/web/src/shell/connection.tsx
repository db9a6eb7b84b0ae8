import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import type { Live } from "../server/live.ts";

/** The connection that the current page uses. */
function usePageLive(): Live {
  const { live } = useTeleprinter();
  const rooms = useRoomsSignal();
  const { page } = useApp().router.route.value;
  return page === "rooms" ? (rooms.value?.live ?? live) : live;
}

/** The state of the connection in words, with a button to reconnect. */
export function Connection() {
  const texts = useTexts();
  const { state, check } = usePageLive();
  return (
    <div class={`connection ${state.value}`}>
      <span role="status">{texts[state.value]}</span>
      {state.value === "offline" && <LinkButton onClick={check}>{texts.retryNow}</LinkButton>}
    </div>
  );
}
