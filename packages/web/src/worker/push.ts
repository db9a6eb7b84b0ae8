/** A notification, as the server encodes it. */
interface Payload {
  readonly groupId?: number;
  readonly deviceId?: string;
  readonly event?: "text" | "offline";
  readonly minutes?: number;
  readonly count: number;
  readonly title: string;
  readonly body?: string;
  readonly url: string;
}

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Pushed extends Waiting {
  readonly data: { json(): Payload } | null;
}

interface Clicked extends Waiting {
  readonly notification: Notification;
}

interface Page {
  readonly url: string;
  focus(): Promise<Page>;
  navigate(url: string): Promise<Page | null>;
}

/** The part of the service worker API that this file uses. The types of the pages do not include it. */
declare const self: {
  readonly location: Location;
  readonly navigator: Navigator;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { readonly type: "window" }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<Page | null>;
  };
  addEventListener(type: "push", listen: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listen: (event: Clicked) => void): void;
};

const isChinese = (): boolean => self.navigator.language.startsWith("zh");

/** The words of a notification without a text. */
function wordsOf({ event, minutes = 0 }: Payload, count: number): string {
  if (event === "offline") return isChinese() ? `已离线 ${minutes} 分钟` : `Offline for ${minutes} minutes`;
  if (isChinese()) return `${count} 条新消息`;
  return count === 1 ? "A new message" : `${count} new messages`;
}

/** Shows a notification, which replaces the previous one of its room or device and counts those that it replaces. */
async function show(payload: Payload): Promise<void> {
  const { groupId, deviceId, title, body, url } = payload;
  const tag = groupId === undefined ? `telex-device-${deviceId}` : `telex-room-${groupId}`;
  const shown = await self.registration.getNotifications({ tag });
  const before = shown.reduce((sum, { data }) => sum + Number(Reflect.get(Object(data), "count") ?? 0), 0);
  const count = before + payload.count;
  const text = body !== undefined && count > 1 ? `(${count}) ${body}` : (body ?? wordsOf(payload, count));
  await self.registration.showNotification(title, { body: text, tag, data: { url, count } });
}

/** Opens a URL of these pages in a page that this worker controls, or in a new one. Other URLs are ignored. */
async function open(data: unknown): Promise<void> {
  const url = new URL(String(data), self.location.origin);
  if (url.origin !== self.location.origin || !url.pathname.startsWith("/user/")) return;
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page === undefined) await self.clients.openWindow(url.href);
  else {
    // If the browser refuses to focus the window, the page navigates anyway.
    const raised = await page.focus().catch(() => page);
    await raised.navigate(url.href);
  }
}

self.addEventListener("push", (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(open(Reflect.get(Object(notification.data), "url")));
});
