import { createAccountClient } from "@telex/auth-server/client";
import { createClient } from "@telex/http/client";
import type { Browser } from "playwright-core";
import { useAccounts } from "./accounts.ts";

/** A desktop window. */
export const desk = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** The screens of the tests. */
export const screens = [
  { on: "a desk", screen: desk },
  { on: "a phone", screen: phone },
] as const;

type Accounts = Awaited<ReturnType<typeof useAccounts>>;

async function clientsOf(server: Accounts, userId: number) {
  const { token } = await server.issueFor(userId);
  const options = { url: server.url, token };
  const { groups, messages: amends } = createAccountClient(options);
  return { ...createClient(options), groups, amends };
}

/** Alice on the page of rooms, and two people from one of her rooms. */
export async function beginRooms(browser: Browser, screen: object = desk) {
  const server = await useAccounts();
  const [bob, lin] = [await server.member("bob"), await server.member("lin")];
  const { page, id } = await server.signedIn(browser, "alice", screen);
  const clients = { alice: await clientsOf(server, id), bob: await clientsOf(server, bob.id) };
  const known = await clients.alice.groups.create({ name: "Office", members: [bob.id, lin.id] });
  await page.goto(`${server.url}/user/rooms/`);
  await page.locator(".talks a").first().waitFor();
  return { server, page, bobId: bob.id, known, ...clients };
}
