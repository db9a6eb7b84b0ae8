import type { AccountClient } from "@telex/auth-server/client";
import type { Preferences } from "./preferences.ts";

/** Under which the browser keeps the id of its subscription. */
const storageKey = "telex-push";

/** Minutes for which a device is offline before the person is told. */
export const offlineMinutes = 5;

/** The worker of built pages; null without one, or without push. */
async function findRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) return null;
  return (await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)) ?? null;
}

/**
 * Subscribes this browser to notifications while the pages are closed, or again, because a subscription ends with its session. Does nothing where
 * the browser or the server has none. A subscription that arrives after notifications were turned off ends immediately.
 * @param chosen the content of notifications, and the events of devices that make one
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

/** Ends the subscription of this browser, on the server as well. */
export async function unsubscribe({ push }: AccountClient): Promise<void> {
  const subscription = await (await findRegistration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  const id = localStorage.getItem(storageKey);
  localStorage.removeItem(storageKey);
  if (id !== null) await push.unsubscribe({ id });
}
