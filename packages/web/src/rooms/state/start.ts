import type { MessageView } from "@telex/core";
import type { App } from "../../app/context.ts";
import { isSeen } from "../../server/network.ts";
import { roomPath } from "../../app/route.ts";
import type { Account } from "../../app/account.ts";
import type { RoomsSignal } from "./context.ts";
import { readContent, summarise } from "../content/content.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { summaries } from "../content/summaries.ts";

/** The maximum length of a message in a notification. */
const longestBody = 200;

/** Shows a message with the browser's notifications, one per room. Phones do not support these for pages. */
function showNotification(app: App, window: Window, message: MessageView): void {
  const summary = summaries[app.preferences.spoken.peek()];
  const body = `${message.nickname}: ${summarise(readContent(message.content), summary)}`.slice(0, longestBody);
  const notification = new Notification(message.groupName, { body, tag: `telex-room-${message.groupId}` });
  notification.addEventListener("click", () => {
    window.focus();
    app.router.go(roomPath(message.groupId));
    notification.close();
  });
}

/** True if notifications are turned on, and the browser allows them. */
const isWanted = ({ preferences }: App): boolean =>
  preferences.notices.peek() === "on" && "Notification" in globalThis && Notification.permission === "granted";

/** Shows a notification while the page is hidden. */
function notify(app: App, window: Window, message: MessageView): void {
  if (isSeen(window) || !isWanted(app)) return;
  try {
    showNotification(app, window, message);
  } catch {
    // Some browsers define `Notification`, but allow it only in service workers.
  }
}

/** Connects the rooms of the account, unless they are already connected. */
export function startRooms(app: App, account: Account, signal: RoomsSignal, window: Window): Rooms {
  const options = { account, window, notify: (message: MessageView) => notify(app, window, message) };
  const rooms = signal.peek() ?? createRooms(options);
  signal.value = rooms;
  return rooms;
}
