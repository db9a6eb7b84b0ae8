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

/** The pages that people choose from, in this order, and their addresses. */
export const places = [
  { page: "teleprinter", href: home },
  { page: "rooms", href: roomsHome },
  { page: "chat", href: chatHome },
  { page: "pictures", href: picturesHome },
  { page: "files", href: filesHome },
] as const;

/** The page for admins, behind the others. */
export const adminPage = { page: "admin", href: adminHome } as const;

/** The name of a page; the account is reached from the settings, the one for tokens from the sign-in. */
export type PageName = (typeof places)[number]["page"] | "admin" | "account" | "token";

/** The lists of the page for admins, in this order. */
export const adminSections = ["users", "rooms", "devices", "tokens", "bots", "files", "audit"] as const;

/** A list of the page for admins, or one of its users or rooms. Without either, the page shows the state of the server. */
export interface AdminAddress {
  readonly section: (typeof adminSections)[number] | null;
  readonly id: number | null;
}

/** The dialogs of devices, by the text after the `#` of an address. */
const dialogs = ["pair", "register"] as const;

/** The dialogs of rooms: a new room, a private chat, and the link to a room. */
const roomDialogs = ["new", "chat", "join"] as const;

/** Where the person is. */
export interface Route {
  readonly page: PageName | "notFound";
  /** The device whose paper is shown, or null for the list alone. */
  readonly deviceId: string | null;
  /** The conversation that is shown: its id, `new` for one that begins, or null for the list alone. */
  readonly conversationId: string | null;
  /** The room that is shown, or null for the list alone. */
  readonly groupId: number | null;
  /** The message of the room or of the conversation that is in sight first, or null for the newest. */
  readonly messageId: number | null;
  /** The list, user or room on the page for admins; null on other pages. */
  readonly admin: AdminAddress | null;
  /** The dialog of devices that is open over it. */
  readonly dialog: (typeof dialogs)[number] | null;
  /** The dialog of rooms that is open over it. */
  readonly roomDialog: (typeof roomDialogs)[number] | null;
}

/**
 * Owns the address of the page. No address ever contains a token or a pairing code: a link from a stranger must not fill in
 * the code of the stranger's device.
 */
export interface Router {
  readonly route: ReadonlySignal<Route>;
  /** Goes to an address of these pages; `replace` leaves no trace in the history. */
  readonly go: (href: string, how?: "push" | "replace") => void;
  /**
   * Keeps the person here until the returned function is called, for secrets that are shown once: Back and Forward lead back here, and the browser
   * asks before it leaves these pages.
   */
  readonly stay: () => () => void;
  /** Leaves these pages for one of the server. */
  readonly leave: (href: string) => void;
}

/** The address of a conversation, or of a message in it; `new` for one that begins. */
export const conversationPath = (conversationId: number | "new", messageId?: number): string =>
  `${chatHome}${conversationId}${messageId === undefined ? "" : `/${messageId}`}`;

/** The address of a list of the page for admins, or of one user or room. */
export const adminPath = (section: NonNullable<AdminAddress["section"]>, id?: number): string =>
  `${adminHome}${section}/${id ?? ""}`;

/** The address of a device's paper. */
export const devicePath = (deviceId: string): string => `${home}device/${deviceId}`;

/** The address of a room, or of a message in it. */
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

/** Reads the groups of an address, and the text after its `#`. */
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

/** The addresses of the pages. */
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

/** The link that a click follows within these pages; null for any other click. */
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

/** Follows links within these pages, and the history. */
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
    // Nothing can refuse Back: this page is added again after the one to which it led.
    if (isKept()) history.pushState(null, "", here);
    else follow();
  });
  followLinks(window, go);
  return { route, go, stay, leave: (href) => location.replace(href) };
}
