import type { AccountClient } from "@telex/auth-server/client";
import type { Preferences } from "./preferences.ts";

/** The storage key for the ID of the browser's subscription. */
const storageKey = "telex-push";

/** The minutes after which an offline device causes a notification. */
export const offlineMinutes = 5;

/** Finds the service worker of built pages. Resolves with null in development, and in a browser without push. */
async function findRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) return null;
  return (await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)) ?? null;
}

/**
 * Subscribes this browser to notifications while the pages are closed. Call it for each session, because a subscription ends with its session. Does
 * nothing if the browser or the server does not support push. If notifications are turned off during the call, the new subscription ends immediately.
 * @param chosen the content of notifications, and the events of devices that cause them
 */
export async function subscribe(
  accounts: AccountClient,
  chosen: Pick<Preferences, "notices" | "noticeText" | "noticeDevices" | "noticeOffline">,
): Promise<void> {
  const manager = (await findRegistration())?.pushManager;
  if (manager === undefined) return;
  const { push } = accounts;
  const { publicKey } = await push.key({});
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint, keys } = (await manager.subscribe(options)).toJSON();
  if (endpoint === undefined || keys?.["p256dh"] === undefined || keys["auth"] === undefined) return;
  const { id } = await push.subscribe({
    endpoint,
    keys: { p256dh: keys["p256dh"], auth: keys["auth"] },
    text: chosen.noticeText.peek() === "on",
    devices: {
      texts: chosen.noticeDevices.peek() === "on",
      offline: chosen.noticeOffline.peek() === "on" ? offlineMinutes : null,
    },
  });
  localStorage.setItem(storageKey, id);
  if (chosen.notices.peek() === "off") await unsubscribe(accounts);
}

/** Ends the subscription of this browser, also on the server. */
export async function unsubscribe({ push }: AccountClient): Promise<void> {
  const subscription = await (await findRegistration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  const id = localStorage.getItem(storageKey);
  localStorage.removeItem(storageKey);
  if (id !== null) await push.unsubscribe({ id });
}
