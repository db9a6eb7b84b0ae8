import { operator } from "@telex/core";
import { type Client, createClient } from "@telex/http/client";
import type { Page } from "playwright-core";
import type { Browser } from "playwright-core";
import { openPage, type PageOptions, signIn } from "./browser.ts";
import type { TestServer } from "./server.ts";

/** A person in a room. */
export interface TestMember {
  readonly userId: number;
  readonly token: string;
  readonly client: Client;
  readonly say: (text: string) => Promise<number>;
}

/** A room of the server's user and another person. */
export interface TestRoom {
  readonly groupId: number;
  readonly ada: TestMember;
  readonly ben: TestMember;
}

const type = 1 as const;

function memberOf(server: TestServer, userId: number, token: string, groupId: number): TestMember {
  const client = createClient({ url: server.url, token });
  return {
    userId,
    token,
    client,
    async say(text) {
      return (await client.messages.send({ groupId, groupType: type, message: text })).messageId;
    },
  };
}

/** Adds a room with the server's user and a user with a Chinese name. */
export async function useRoom(server: TestServer, name = "Kitchen"): Promise<TestRoom> {
  const { token } = await server.addUser("小王");
  const users = await server.telex.operator.users.list(operator, { limit: 1000 });
  const benId = users.findLast(({ nickname }) => nickname === "小王")?.id ?? 0;
  const members = [server.userId, benId];
  const { groupId } = await server.telex.operator.groups.add(operator, { groupType: type, name, members });
  return {
    groupId,
    ada: memberOf(server, server.userId, server.token, groupId),
    ben: memberOf(server, benId, token, groupId),
  };
}

/** Opens the page of a room, with a member signed in. */
export async function openRoom(
  browser: Browser,
  server: TestServer,
  { room, member, ...options }: PageOptions & { readonly room: TestRoom; readonly member: TestMember },
): Promise<Page> {
  const page = await openPage(browser, server.url, { place: "rooms", path: String(room.groupId), ...options });
  await signIn(page, member.token);
  await page.locator(".message-box textarea").waitFor();
  return page;
}

/** The messages in the page, in order. */
export const said = (page: Page): Promise<string[]> =>
  page
    .locator(".message-list > li .what")
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll(".print")].map(({ textContent }) => textContent).join("|")),
    );

/** Types a message, and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  const box = page.locator(".message-box textarea");
  await box.fill(text);
  await box.press("Enter");
}
