import { expect, test } from "vitest";
import { signInByForm, useAccounts } from "../accounts.ts";
import { openAt, useBrowser } from "../browser.ts";
import { createPuppetModel } from "../models.ts";
import { screens } from "../scene.ts";
import { anew, drive, within } from "./drive.ts";
import { layWire } from "./hold.ts";
import { addPeople } from "./people.ts";
import type { Stage, Tasks } from "./task.ts";

/** Who does tasks: a person, an admin, or a visitor, who is signed in only where a task says so. */
type Doer = "alice" | "boss" | null;

/** A page on which the person is signed in. */
async function begin(browser: ReturnType<typeof useBrowser>, who: Doer, screen: object): Promise<Stage> {
  const puppet = createPuppetModel();
  const models = new Map([["puppet", puppet.model]]);
  // At a name, since browsers have no passkeys at an address.
  const options = { hasUser: false, host: "localhost", models } as const;
  const server = await useAccounts({ registration: "open", invitations: "members" }, options);
  const setupUrl = (await server.auth.services.setup.make("one"))?.url ?? "";
  const people = await addPeople(server);
  if (who === "boss") await server.member(who, "admin");
  const page = await openAt(browser(), server.url, "/user/sign-in", screen);
  const wire = await layWire(page);
  await page.reload();
  if (who !== null) await signInByForm(page, who);
  return { server, people, page, wire, puppet, setupUrl };
}

/** Tests that a person can do each of these tasks. */
export function testEvery(tasks: Tasks, who: Doer): void {
  const browser = useBrowser();
  test.each(screens)(
    "on $on, each task is done with the keyboard alone, by one call however late the answers are",
    async ({ screen }) => {
      const stage = await begin(browser, who, screen);
      const faults: Record<string, string> = {};
      for (const [name, task] of Object.entries(tasks)) {
        if (who === null) await stage.page.context().clearCookies();
        await drive(stage, task, who === null ? anew : within).catch((error: unknown) => {
          faults[name] = String(error);
        });
      }
      expect(faults).toEqual({});
    },
    300_000,
  );
}
