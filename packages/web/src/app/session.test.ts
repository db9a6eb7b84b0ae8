import { TelexClientError } from "@telex/http/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryKeeper } from "../../test/keeper.ts";
import type { AccountServer, OwnAccount } from "./own-account.ts";
import { createSession, type SessionOptions } from "./session.ts";

type Connect = SessionOptions["connect"];

const invalid = new TelexClientError(401, { msg: "", data: { error: "invalid_token" } }, undefined);

const lacking = new TelexClientError(403, { msg: "", data: { error: "insufficient_scope" } }, undefined);

/** A server that accepts the token `right`, which has these scopes. */
const connectWith =
  (scopes: string[]): Connect =>
  (token) => {
    const hasChat = scopes.includes("chat");
    const refuse = (): Promise<never> => Promise.reject(token === "right" ? lacking : invalid);
    const answer =
      <T>(value: T) =>
      (): Promise<T> =>
        token === "right" ? Promise.resolve(value) : Promise.reject(invalid);
    return {
      users: {
        userId: answer({ id: 7 }),
        userInfo: answer({ ext: "", phone: null, nickname: "Ada", avatar: "/avatar/7" }),
        tokens: hasChat
          ? answer([{ id: 1, name: null, scopes, createdAt: "", expiresAt: null, lastUsedAt: null, current: true }])
          : refuse,
      },
      operator: { users: { list: scopes.includes("admin") ? answer([]) : refuse } },
    };
  };

const alice = {
  id: 9,
  username: "alice",
  nickname: "Alice",
  avatar: "",
  role: null,
  state: "active",
  showRead: true,
  notify: "all",
  password: true,
  passkeys: 0,
  recovered: null,
  canInvite: false,
} as const;

/** A server with accounts. `shown` is the account of the browser's cookie, which a test can change. */
function createAccounts(shown: OwnAccount | "unreachable" = "noAccounts") {
  const state = { shown };
  const accounts: AccountServer = {
    show: () => (state.shown === "unreachable" ? Promise.reject(new TypeError("")) : Promise.resolve(state.shown)),
    signOut: () => {
      state.shown = "signedOut";
      return Promise.resolve(null);
    },
  };
  return { state, accounts };
}

function setup(
  tab = createMemoryKeeper(),
  browser = createMemoryKeeper(),
  scopes = ["chat"],
  { state, accounts } = createAccounts(),
) {
  const told: unknown[] = [];
  const channel = { postMessage: (message: unknown) => void told.push(message), addEventListener: () => undefined };
  const connect = connectWith(scopes);
  return { session: createSession({ tab, browser, connect, accounts, channel }), state, tab, browser, told };
}

test("a token that the server rejects does not sign in, and is not stored", async () => {
  const { session, tab, browser } = setup();
  expect(await session.signIn("wrong", true)).toBe("invalidToken");
  expect([session.current.value, tab.length, browser.length]).toEqual([null, 0, 0]);
});

test.each([
  { stays: false, place: "tab" },
  { stays: true, place: "browser" },
] as const)("who stays: $stays is remembered by the $place", async ({ stays, place }) => {
  const { session, tab, browser } = setup();
  expect(await session.signIn("right", stays)).toBeNull();
  expect(session.current.value?.person).toEqual({
    token: "right",
    userId: 7,
    nickname: "Ada",
    hasChat: true,
    isAdmin: false,
  });
  expect({ tab: tab.length, browser: browser.length }).toEqual({ tab: stays ? 0 : 1, browser: stays ? 1 : 0 });
  expect(
    place === "tab" ? setup(tab).session.current.value : setup(undefined, browser).session.current.value,
  ).not.toBeNull();
});

test.each([
  { scopes: ["chat"], found: { hasChat: true, isAdmin: false } },
  { scopes: ["chat", "admin"], found: { hasChat: true, isAdmin: true } },
  { scopes: ["admin"], found: { hasChat: false, isAdmin: true } },
])("a token with $scopes opens the pages of its scopes", async ({ scopes, found }) => {
  const { session } = setup(undefined, undefined, scopes);
  expect(await session.signIn("right", false)).toBeNull();
  expect(session.current.value?.person).toMatchObject(found);
});

test("a token with neither scope does not sign in", async () => {
  const { session } = setup(undefined, undefined, ["profile"]);
  expect(await session.signIn("right", false)).toBe("insufficientScope");
  expect(session.current.value).toBeNull();
});

test("signing out deletes the token and drafts, and notifies the other tabs", async () => {
  const { session, browser, told } = setup();
  await session.signIn("right", true);
  session.current.value?.shelf.folder("draft").write("kitchen", "private");
  expect(await session.signOut()).toBeNull();
  expect([browser.length, session.current.value, session.ended.value, told]).toEqual([0, null, false, ["signed-out"]]);
});

test("drafts are kept when a token ends", async () => {
  const { session, browser } = setup();
  await session.signIn("right", true);
  session.current.value?.shelf.folder("draft").write("kitchen", "unfinished");
  const person = session.current.value?.person ?? expect.unreachable();
  session.end({ ...person });
  expect(session.current.value).not.toBeNull();
  session.end(person);
  expect([session.current.value, session.ended.value]).toEqual([null, true]);
  await session.signIn("right", true);
  expect(session.current.value?.shelf.folder("draft").read("kitchen")).toBe("unfinished");
  expect(browser.length).toBe(2);
});

const withCookie = (
  shown: OwnAccount | "unreachable" = alice,
  keepers = [createMemoryKeeper(), createMemoryKeeper()],
) => setup(keepers[0], keepers[1], ["chat"], createAccounts(shown));

test("a browser with the cookie of an account is signed in, and stores no secret", async () => {
  const { session, browser } = withCookie({ ...alice, role: "admin" });
  expect([session.current.value, session.way.value]).toEqual([null, "asking"]);
  await session.check();
  const person = { token: null, userId: 9, nickname: "Alice", hasChat: true, isAdmin: true };
  expect(session.current.value?.person).toEqual(person);
  expect(browser.getItem("telex.session")).toBe(JSON.stringify(person));
});

test.each([
  ["signedOut", "accounts"],
  ["noAccounts", "tokens"],
  ["unreachable", "unreachable"],
] as const)("a browser to which the server says %s signs in by: %s", async (shown, way) => {
  const { session } = withCookie(shown);
  await session.check();
  expect([session.current.value, session.way.value, session.ended.value]).toEqual([null, way, false]);
});

test("a person with a cookie is signed in before the server responds, even if it is unreachable", async () => {
  const keepers = [createMemoryKeeper(), createMemoryKeeper()];
  await withCookie(alice, keepers).session.check();
  const { session } = withCookie("unreachable", keepers);
  expect(session.current.value?.person.nickname).toBe("Alice");
  await session.check();
  expect(session.current.value?.person.nickname).toBe("Alice");
});

test("if another person's cookie replaces the cookie, that person is signed in", async () => {
  const { session, state } = withCookie();
  await session.check();
  const former = session.current.value?.person ?? expect.unreachable();
  state.shown = { ...alice, id: 10, nickname: "Bob" };
  session.end(former);
  await expect.poll(() => session.current.value?.person.userId).toBe(10);
});

test("a cookie that belongs to the same person connects again only if it was refused, at most once in 30 s", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { session } = withCookie();
  await session.check();
  const first = session.current.value;
  const refuse = async (): Promise<void> => {
    session.end(session.current.value?.person ?? expect.unreachable());
    await session.check();
  };
  await refuse();
  expect(session.current.value).toBe(first);
  vi.advanceTimersByTime(30_001);
  await session.check();
  expect(session.current.value).toBe(first);
  await refuse();
  const second = session.current.value;
  expect(second).not.toBe(first);
  await refuse();
  expect(session.current.value).toBe(second);
});

test("a session that ends leads to the sign-in, and drafts are kept for the same tab", async () => {
  const { session, state } = withCookie();
  await session.check();
  session.current.value?.shelf.folder("draft").write("kitchen", "unfinished");
  state.shown = "signedOut";
  session.end(session.current.value?.person ?? expect.unreachable());
  await expect.poll(() => session.way.value).toBe("accounts");
  expect([session.current.value, session.ended.value]).toEqual([null, true]);
  state.shown = alice;
  await session.check();
  expect(session.current.value?.shelf.folder("draft").read("kitchen")).toBe("unfinished");
});

test("signing out ends the session on the server; if it is unreachable, the person stays signed in", async () => {
  const { session, state, tab, told } = withCookie();
  await session.check();
  session.current.value?.shelf.folder("draft").write("kitchen", "private");
  expect(await session.signOut()).toBeNull();
  expect([state.shown, session.current.value, told, tab.length]).toEqual(["signedOut", null, ["signed-out"], 0]);
  const broken = createAccounts(alice);
  const accounts = { ...broken.accounts, signOut: () => Promise.reject(new TypeError("")) };
  const other = setup(undefined, undefined, ["chat"], { ...broken, accounts });
  await other.session.check();
  expect(await other.session.signOut()).toBe("unreachable");
  expect(other.session.current.value).not.toBeNull();
});

test("a token takes precedence over a cookie", async () => {
  const { session } = withCookie();
  await session.signIn("right", false);
  await session.check();
  expect(session.current.value?.person.token).toBe("right");
});
