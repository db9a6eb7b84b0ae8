import type { Page } from "playwright-core";
import { drawTrends } from "./drawn-trends.ts";
import { now } from "./furnished.ts";

/**
 * The person who sees a page: one with rooms and devices, an admin, one without any data, one who signs in with the form, or a visitor who is
 * not signed in.
 */
export type Who = "alice" | "boss" | "dora" | "cookie" | "visitor";

/** A page or a state of it: its URL, and the actions that lead to the state. */
export interface Shot {
  /** The path below `/user/`. */
  readonly path: string;
  /** Runs before the page is opened. */
  readonly before?: (page: Page) => Promise<void>;
  readonly act?: (page: Page) => Promise<void>;
  /** True if a response never arrives. */
  readonly isHeld?: boolean;
}

type Table = Readonly<Record<string, (groupId: number) => Shot>>;

const api = "**/external/api/v1";

/** The state of a page while these responses are pending. */
const loading = (path: string, address: string, shown: string): Shot => ({
  path,
  isHeld: true,
  async before(page) {
    await page.route(`${api}/${address}`, () => {});
  },
  act: (page) => page.locator(shown).first().waitFor(),
});

/** The state of a page while these calls fail. */
const failing = (path: string, address: string, shown: string): Shot => ({
  path,
  async before(page) {
    await page.route(`${api}/${address}`, (route) => route.fulfill({ status: 500, body: "broken" }));
  },
  act: (page) => page.locator(shown).first().waitFor(),
});

/** The search in conversations, with a typed query. */
const searching = (q: string, shown: string, { before, isHeld = false }: Omit<Shot, "path"> = {}): Shot => ({
  path: "chat/",
  ...(before !== undefined && { before }),
  isHeld,
  async act(page) {
    await page.getByRole("searchbox", { name: "Search conversations" }).fill(q);
    await page.locator(shown).first().waitFor();
  },
});

const search = "sseStream/search*";

const asAlice: Table = {
  rooms: () => ({ path: "rooms/" }),
  room: (groupId) => ({
    path: `rooms/${groupId}`,
    act: (page) => page.locator(".message-list > li").nth(4).waitFor(),
  }),
  actions: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      const last = page.locator(".message").last();
      await last.waitFor();
      await last.hover();
      await last.dispatchEvent("pointerdown", { pointerType: page.viewportSize()?.width === 390 ? "touch" : "mouse" });
      if (page.viewportSize()?.width === 390) await page.locator(".sheet-up").waitFor();
    },
  }),
  palette: () => ({
    path: "rooms/",
    async act(page) {
      await page.locator(".talks a").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.locator(".found li").nth(3).waitFor();
    },
  }),
  "new-room": () => ({
    path: "rooms/#new",
    async act(page) {
      await page.locator(".picks li").nth(1).waitFor();
      await page.locator(".picks label").nth(1).click();
    },
  }),
  "new-chat": () => ({ path: "rooms/#chat", act: (page) => page.locator(".picks li").nth(1).waitFor() }),
  side: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      if (page.viewportSize()?.width === 390) await page.locator("[aria-controls=side]").click();
      await page.locator(".people button").first().click();
      await page.locator("dialog select").waitFor();
    },
  }),
  device: () => ({ path: "teleprinter/device/kitchen-1", act: (page) => page.locator(".later").waitFor() }),
  "send-options": () => ({
    path: "teleprinter/device/kitchen-1",
    async act(page) {
      await page.locator(".later").waitFor();
      await page.getByRole("button", { name: "Options" }).click();
      await page.locator(".sending").waitFor();
    },
  }),
  about: () => ({
    path: "teleprinter/device/kitchen-1",
    async act(page) {
      await page.locator(".later").waitFor();
      await page.getByRole("button", { name: /^More about/ }).click();
      await page.getByRole("button", { name: "About this device" }).click();
      await page.locator(".day-chart").waitFor();
    },
  }),
  several: () => ({
    path: "teleprinter/",
    async act(page) {
      await page.getByRole("button", { name: "kitchen", exact: true }).click();
      await page.getByRole("button", { name: /^Write to/ }).click();
      await page.getByLabel("Text", { exact: true }).fill("Dinner is ready.");
    },
  }),
  pair: () => ({
    path: "teleprinter/#pair",
    async act(page) {
      await page.locator("dialog input").fill("BCD0-FGHJ");
      await page.keyboard.press("Enter");
      await page.locator("dialog .error").waitFor();
    },
  }),
  teleprinter: () => ({ path: "teleprinter/" }),
  chat: () => ({ path: "chat/new" }),
  "chat-search": () => searching("lake", ".found-messages li:nth-child(4)"),
  "chat-search-none": () => searching("nowhere", ".found-messages [role=status]:text('No question')"),
  "chat-found": () => ({
    path: "chat/",
    async act(page) {
      await page.getByRole("searchbox", { name: "Search conversations" }).fill("wet feet");
      await page.locator(".found-messages a").first().click();
      await page.locator(".messages .target").waitFor();
    },
  }),
  pictures: () => ({ path: "pictures/" }),
  files: () => ({ path: "files/", act: (page) => page.locator(".filed li").nth(4).waitFor() }),
  "files-share": () => ({
    path: "files/",
    async act(page) {
      await page.getByRole("button", { name: "Share my notes 笔记.txt by link" }).click();
      await page.locator("dialog select").waitFor();
    },
  }),
  "files-remove": () => ({
    path: "files/",
    async act(page) {
      await page.getByRole("button", { name: "Delete IMG_2041.jpg" }).click();
      await page.locator("dialog .danger").waitFor();
    },
  }),
  account: () => ({ path: "account/" }),
  "not-found": () => ({ path: "anything" }),
  offline: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      await page.locator(".message-list > li").nth(4).waitFor();
      await page.context().setOffline(true);
      await page.locator(".connection.offline").waitFor();
    },
  }),
};

/** Loading and failure. */
const ofAlice: Table = {
  ...asAlice,
  "rooms-loading": () => loading("rooms/", "im/groups?*", ".room-list .waiting"),
  "rooms-failing": () => failing("rooms/", "im/groups?*", ".room-list .quiet"),
  "room-loading": (groupId) => loading(`rooms/${groupId}`, "im/getMessage*", ".top"),
  "room-failing": (groupId) => failing(`rooms/${groupId}`, "im/getMessage*", ".top[role=alert]"),
  "teleprinter-loading": () => loading("teleprinter/", "teleprinter/devices*", ".device-list .waiting"),
  "teleprinter-failing": () => failing("teleprinter/", "teleprinter/devices*", ".device-list .quiet"),
  "device-loading": () => loading("teleprinter/device/kitchen-1", "teleprinter/messages*", ".top"),
  "device-failing": () => failing("teleprinter/device/kitchen-1", "teleprinter/messages*", ".conversation"),
  "chat-search-loading": () => searching("lake", ".found-messages[aria-busy=true]", loading("", search, "")),
  "chat-search-failing": () => searching("lake", ".found-messages button", failing("", search, "")),
  "account-failing": () => failing("account/", "tokens*", ".account .error"),
};

const ofBoss: Table = {
  admin: () => ({
    path: "admin/",
    async act(page) {
      await page.route("**/admin/trends*", drawTrends(now));
      await page.reload();
      await page.locator(".trend").nth(4).waitFor();
    },
  }),
  "admin-users": () => ({ path: "admin/users/", act: (page) => page.locator(".row").nth(3).waitFor() }),
  "admin-user": () => ({ path: "admin/users/1", act: (page) => page.locator(".card").nth(4).waitFor() }),
  "admin-devices": () => ({ path: "admin/devices/", act: (page) => page.locator(".items li").nth(1).waitFor() }),
  "admin-audit": () => ({ path: "admin/audit/", act: (page) => page.locator(".event").nth(5).waitFor() }),
  "admin-import": () => ({
    path: "admin/users/",
    async act(page) {
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator(".import textarea").fill("username,nickname\ndora,Dora\nalice,\na b,\nemil,Emil");
      await page.locator(".import .primary").click();
      await page.locator(".lines").waitFor();
    },
  }),
  "admin-loading": () => loading("admin/users/", "admin/users*", ".admin .quiet"),
  "admin-failing": () => failing("admin/users/", "admin/users*", ".admin .error"),
};

/** Empty lists. */
const ofDora: Table = {
  "rooms-empty": () => ({ path: "rooms/", act: (page) => page.locator(".start").waitFor() }),
  "teleprinter-empty": () => ({
    path: "teleprinter/",
    async act(page) {
      const command = page.locator(".no-devices code");
      await command.waitFor();
      // The port of the server differs each time.
      await command.evaluate((code) => code.replaceChildren((code.textContent ?? "").replace(/:[0-9]+/, ":8080")));
    },
  }),
  "new-room-empty": () => ({
    path: "rooms/#new",
    async act(page) {
      await page.locator(".picker [type=search]").fill("nobody of this name");
      await page.locator(".picker [role=status]").waitFor();
    },
  }),
};

const ofCookie: Table = {
  "account-person": () => ({ path: "account/", act: (page) => page.locator(".account section").nth(6).waitFor() }),
};

const ofVisitor: Table = {
  "sign-in": () => ({ path: "sign-in", act: (page) => page.locator("input[name=username]").waitFor() }),
  "sign-in-wrong": () => ({
    path: "sign-in",
    async act(page) {
      await page.locator("input[name=username]").fill("alice");
      await page.locator("input[name=password]").fill("wrong password");
      await page.keyboard.press("Enter");
      await page.locator("[role=alert]").waitFor();
    },
  }),
  token: () => ({ path: "token", act: (page) => page.locator("input[name=token]").waitFor() }),
  "join-ended": () => ({ path: "join#unknown", act: (page) => page.locator("main").waitFor() }),
  recover: () => ({ path: "recover", act: (page) => page.locator("main").waitFor() }),
  "sign-in-device": () => ({ path: "device", act: (page) => page.locator("main").waitFor() }),
};

/** The states of the pages, by person. */
export const states: Readonly<Record<Who, Table>> = {
  alice: ofAlice,
  boss: ofBoss,
  dora: ofDora,
  cookie: ofCookie,
  visitor: ofVisitor,
};

export const people: readonly Who[] = ["alice", "boss", "dora", "cookie", "visitor"];
