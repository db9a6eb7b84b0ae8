import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";

/** Shows whether the bot of a room of an external network is connected. */
export function BotPresence({ bot }: Pick<RoomView, "bot">) {
  const texts = useRoomTexts();
  if (bot === null) return null;
  return <span class={bot.online ? "presence on" : "presence"}>{bot.online ? texts.botOnline : texts.botOffline}</span>;
}
