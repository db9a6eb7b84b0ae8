import { TelexClientError } from "@telex/http/client";
import { expect, test } from "vitest";
import { createMemoryKeeper } from "../../test/keeper.ts";
import { createSession, type SessionOptions } from "./session.ts";

type Connect = SessionOptions["connect"];

const invalid = new TelexClientError(401, { msg: "", data: { error: "invalid_token" } }, undefined);

const lacking = new TelexClientError(403, { msg: "", data: { error: "insufficient_scope" } }, undefined);

/** A server that knows the token `right`, with these scopes. */
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

function setup(tab = createMemoryKeeper(), browser = createMemoryKeeper(), scopes = ["chat"]) {
  const told: unknown[] = [];
  const channel = { postMessage: (message: unknown) => void told.push(message), addEventListener: () => undefined };
  const connect = connectWith(scopes);
  return { session: createSession({ tab, browser, connect, channel }), tab, browser, told };
}

test("a token that the server refuses signs nobody in, and is not kept", async () => {
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

test("a token without either scope signs nobody in", async () => {
  const { session } = setup(undefined, undefined, ["profile"]);
  expect(await session.signIn("right", false)).toBe("insufficientScope");
  expect(session.current.value).toBeNull();
});

test("signing out forgets the token and what was written, and tells the other tabs", async () => {
  const { session, browser, told } = setup();
  await session.signIn("right", true);
  session.current.value?.shelf.folder("draft").write("kitchen", "private");
  session.signOut();
  expect([browser.length, session.current.value, session.ended.value, told]).toEqual([0, null, false, ["signed-out"]]);
});

test("a token that ends takes nothing with it of what was written", async () => {
  const { session, browser } = setup();
  await session.signIn("right", true);
  session.current.value?.shelf.folder("draft").write("kitchen", "unfinished");
  session.end("another");
  expect(session.current.value).not.toBeNull();
  session.end("right");
  expect([session.current.value, session.ended.value]).toEqual([null, true]);
  await session.signIn("right", true);
  expect(session.current.value?.shelf.folder("draft").read("kitchen")).toBe("unfinished");
  expect(browser.length).toBe(2);
});
