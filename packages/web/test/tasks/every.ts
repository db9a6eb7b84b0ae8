import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signInByForm, useAccounts } from "../accounts.ts";
import { openAt, useBrowser } from "../browser.ts";
import { createPuppetModel } from "../models.ts";
import { screens } from "../scene.ts";
import { inNewPages, drive, byLinks } from "./drive.ts";
import { delaySockets } from "./hold.ts";
import { addPeople } from "./people.ts";
import type { Stage, Tasks } from "./task.ts";

/** Who performs the tasks: a person, an admin, or a visitor, who signs in only as part of a task. */
type Doer = "alice" | "boss" | null;

/** A page on which the person is signed in. */
async function begin(browser: ReturnType<typeof useBrowser>, who: Doer, screen: object): Promise<Stage> {
  const puppet = createPuppetModel();
  const models = new Map([["puppet", puppet.model]]);
  // A host name, because browsers do not support passkeys at an IP address.
  const options = { hasUser: false, host: "localhost", models } as const;
  const server = await useAccounts({ registration: "open", invitations: "members" }, options);
  const setupUrl = (await server.auth.services.setup.make("one"))?.url ?? "";
  const people = await addPeople(server);
  if (who === "boss") await server.member(who, "admin");
  const page = await openAt(browser(), server.url, "/user/sign-in", screen);
  const sockets = await delaySockets(page);
  await page.reload();
  if (who !== null) await signInByForm(page, who);
  return { server, people, page, sockets, puppet, setupUrl };
}

/** Leaves the page first: an open page that finds itself signed out goes to the sign-in form, possibly in the middle of the next task. */
async function signOut(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Tests that a person can perform each of these tasks. */
export function testEvery(tasks: Tasks, who: Doer): void {
  const browser = useBrowser();
  test.each(screens)(
    "on $on, each task is done with the keyboard alone, by one call however late the answers are",
    async ({ screen }) => {
      const stage = await begin(browser, who, screen);
      const faults: Record<string, string> = {};
      for (const [name, task] of Object.entries(tasks)) {
        if (who === null) await signOut(stage.page);
        await drive(stage, task, who === null ? inNewPages : byLinks).catch((error: unknown) => {
          faults[name] = String(error);
        });
      }
      expect(faults).toEqual({});
    },
    300_000,
  );
}
