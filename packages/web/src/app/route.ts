import { type ReadonlySignal, signal } from "@preact/signals";
import {
  accountAddress,
  accountHome,
  adminAddress,
  adminHome,
  chatAddress,
  chatHome,
  filesAddress,
  filesHome,
  home,
  isRoot,
  picturesAddress,
  picturesHome,
  roomsAddress,
  roomsHome,
  teleprinterAddress,
  tokenAddress,
} from "../files/addresses.ts";
import { createStays } from "../base/stays.ts";

export { accountHome, adminHome, chatHome, home, roomsHome };

/** The pages in the navigation, in order, with their URLs. */
export const places = [
  { page: "teleprinter", href: home },
  { page: "rooms", href: roomsHome },
  { page: "chat", href: chatHome },
  { page: "pictures", href: picturesHome },
  { page: "files", href: filesHome },
] as const;

/** The page for admins, the last in the navigation. */
export const adminPage = { page: "admin", href: adminHome } as const;

/** The name of a page. The account is opened from the settings, and `token` from the sign-in. */
export type PageName = (typeof places)[number]["page"] | "admin" | "account" | "token";

/** The lists of the page for admins, in order. */
export const adminSections = ["users", "rooms", "devices", "tokens", "bots", "files", "audit"] as const;

/** A list of the page for admins, or one of its users or rooms. Without either, the page shows the overview. */
export interface AdminAddress {
  readonly section: (typeof adminSections)[number] | null;
  readonly id: number | null;
}

/** The dialogs of devices, by the hash of the URL. */
const dialogs = ["pair", "register"] as const;

/** The dialogs of rooms: a new room, a private chat, and joining with a link. */
const roomDialogs = ["new", "chat", "join"] as const;

/** The page and the item that the URL names. */
export interface Route {
  readonly page: PageName | "notFound";
  /** The device that is open, or null for just the list. */
  readonly deviceId: string | null;
  /** The conversation that is open: its ID, `new` for a new one, or null for just the list. */
  readonly conversationId: string | null;
  /** The room that is open, or null for just the list. */
  readonly groupId: number | null;
  /** The message of the room or conversation to show first, or null for the newest. */
  readonly messageId: number | null;
  /** The list, user or room on the page for admins. Null on other pages. */
  readonly admin: AdminAddress | null;
  /** The open dialog of devices. */
  readonly dialog: (typeof dialogs)[number] | null;
  /** The open dialog of rooms. */
  readonly roomDialog: (typeof roomDialogs)[number] | null;
}

/**
 * Owns the URL of the page. No URL ever contains a token or a pairing code: a link from a stranger must not fill in the code of
 * the stranger's device.
 */
export interface Router {
  readonly route: ReadonlySignal<Route>;
  /** Navigates to a URL of these pages. `replace` adds no history entry. */
  readonly go: (href: string, how?: "push" | "replace") => void;
  /**
   * Keeps the person here until the returned function is called, for secrets that are shown once. Back and Forward return here, and the browser asks
   * before it leaves these pages.
   */
  readonly stay: () => () => void;
  /** Leaves these pages for another page of the server. */
  readonly leave: (href: string) => void;
}

/** The URL of a conversation, or of a message in it. `new` is a new conversation. */
export const conversationPath = (conversationId: number | "new", messageId?: number): string =>
  `${chatHome}${conversationId}${messageId === undefined ? "" : `/${messageId}`}`;

/** The URL of a list of the page for admins, or of one user or room. */
export const adminPath = (section: NonNullable<AdminAddress["section"]>, id?: number): string =>
  `${adminHome}${section}/${id ?? ""}`;

/** The URL of a device. */
export const devicePath = (deviceId: string): string => `${home}device/${deviceId}`;

/** The URL of a room, or of a message in it. */
export const roomPath = (groupId: number, messageId?: number): string =>
  `${roomsHome}${groupId}${messageId === undefined ? "" : `/${messageId}`}`;

const nowhere = {
  page: "notFound",
  deviceId: null,
  conversationId: null,
  groupId: null,
  messageId: null,
  admin: null,
  dialog: null,
  roomDialog: null,
} as const;

const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

/** Parses the groups and the hash of a URL. */
type Read = (groups: Readonly<Partial<Record<string, string>>>, hash: string) => Partial<Route> & Pick<Route, "page">;

const readRoom: Read = ({ groupId, messageId }, hash) => ({
  page: "rooms",
  groupId: numberOf(groupId),
  messageId: numberOf(messageId),
  roomDialog: roomDialogs.find((name) => hash === `#${name}`) ?? null,
});

const readAdmin: Read = ({ list, id, section = list }) => ({
  page: "admin",
  admin: { section: adminSections.find((name) => name === section) ?? null, id: numberOf(id) },
});

const readTeleprinter: Read = ({ deviceId = null }, hash) => ({
  page: "teleprinter",
  deviceId,
  dialog: dialogs.find((name) => hash === `#${name}`) ?? null,
});

/** The URL patterns of the pages. */
const addresses: readonly (readonly [RegExp, Read])[] = [
  [teleprinterAddress, readTeleprinter],
  [
    chatAddress,
    ({ conversationId = null, messageId }) => ({ page: "chat", conversationId, messageId: numberOf(messageId) }),
  ],
  [roomsAddress, readRoom],
  [adminAddress, readAdmin],
  [picturesAddress, () => ({ page: "pictures" })],
  [filesAddress, () => ({ page: "files" })],
  [accountAddress, () => ({ page: "account" })],
  [tokenAddress, () => ({ page: "token" })],
];

export function readRoute({ pathname, hash }: Pick<URL, "pathname" | "hash">): Route {
  const match = addresses.find(([address]) => address.test(pathname));
  if (match === undefined) return nowhere;
  const [address, read] = match;
  return { ...nowhere, ...read(address.exec(pathname)?.groups ?? {}, hash) };
}

/** The link within these pages that a click follows, or null. */
function followedLink(event: MouseEvent, origin: string): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.target !== "" || link.origin !== origin) return null;
  return readRoute(link).page === "notFound" ? null : link;
}

function followLinks({ document, location }: Window, go: Router["go"]): void {
  document.addEventListener("click", (event) => {
    const link = followedLink(event, location.origin);
    if (link === null) return;
    event.preventDefault();
    go(link.href);
  });
}

/** Follows links within these pages, and the browser history. */
export function createRouter(window: Window): Router {
  const { history, location } = window;
  const { stay, isKept } = createStays(window);
  const route = signal(readRoute(location));
  let here = location.href;
  const follow = (): void => {
    here = location.href;
    route.value = readRoute(location);
  };
  const go: Router["go"] = (href, how = "push") => {
    if (how === "push") history.pushState(null, "", href);
    else history.replaceState(null, "", href);
    follow();
  };
  if (isRoot(location.pathname)) go(home + location.hash, "replace");
  window.addEventListener("popstate", () => {
    // Back cannot be prevented, so this page is added to the history again.
    if (isKept()) history.pushState(null, "", here);
    else follow();
  });
  followLinks(window, go);
  return { route, go, stay, leave: (href) => location.replace(href) };
}
