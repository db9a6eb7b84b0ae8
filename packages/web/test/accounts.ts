import { once } from "node:events";
import { createServer } from "node:http";
import { type Clock, systemClock } from "@telex/core";
import type { AuthOptions } from "@telex/auth-server";
import type { BrowserContext, Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { openAt, type OpenOptions, useServer } from "./browser.ts";
import type { TestServer, TestServerOptions } from "./server.ts";

interface Member {
  readonly id: number;
}

export interface AccountServer extends TestServer {
  /** Creates an account with the password `<username>'s password`. */
  readonly member: (username: string, role?: "admin" | null) => Promise<Member>;
  /** Creates an account, and opens a page on which its person is signed in. */
  readonly signedIn: (
    browser: Browser,
    username: string,
    options?: OpenOptions & { readonly role?: "admin" | null },
  ) => Promise<Member & { readonly page: Page }>;
}

const passwordOf = (username: string): string => `${username}'s password`;

/** Signs in with the form. */
export async function signInByForm(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(passwordOf(username));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Starts a server with accounts. It is closed after the test. */
export async function useAccounts(
  accounts: Partial<AuthOptions> = {},
  { hasUser = true, host = "127.0.0.1", models }: Pick<TestServerOptions, "hasUser" | "host" | "models"> = {},
) {
  const time = { ahead: 0 };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + time.ahead };
  const server = await useServer({ accounts, hasUser, host, clock, ...(models && { models }) });
  const { members } = server.auth.services;
  const member = async (username: string, role: "admin" | null = null): Promise<Member> => {
    const password = passwordOf(username);
    const { userId } = await members.open({ user: { nickname: username }, username, password, role });
    return { id: userId };
  };
  const signedIn: AccountServer["signedIn"] = async (browser, username, { role = null, ...options } = {}) => {
    const person = await member(username, role);
    const page = await openAt(browser, server.url, "/user/sign-in", options);
    await signInByForm(page, username);
    return { ...person, page };
  };
  const advance = (milliseconds: number): void => {
    time.ahead += milliseconds;
  };
  return Object.assign(server, { member, signedIn, advance });
}

/** Serves a page of another site. */
export async function serveForeignPage(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(html));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://localhost:${typeof address === "object" ? address?.port : ""}/`;
}

/** The session cookies. */
export const sessionsIn = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => !name.includes("telex-browser"));
