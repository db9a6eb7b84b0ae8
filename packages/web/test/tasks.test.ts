import { expect, test } from "vitest";
import { signInByForm, useAccounts } from "./accounts.ts";
import { openAt, useBrowser } from "./browser.ts";
import { screens } from "./scene.ts";
import { accountTasks } from "./tasks/account.ts";
import { adminTasks } from "./tasks/admin.ts";
import { deviceTasks } from "./tasks/devices.ts";
import { anew, drive, within } from "./tasks/drive.ts";
import { enteringTasks } from "./tasks/entering.ts";
import { addPeople } from "./tasks/people.ts";
import { roomTasks } from "./tasks/rooms.ts";
import type { Tasks } from "./tasks/task.ts";

const browser = useBrowser();

interface Part {
  readonly part: string;
  /** Null for visitors, who are signed in only where a task says so. */
  readonly who: "alice" | "boss" | null;
  readonly tasks: Tasks;
}

/** Everything that people do on the pages, and who does it. */
const parts: readonly Part[] = [
  { part: "a room", who: "alice", tasks: roomTasks },
  { part: "devices and files", who: "alice", tasks: deviceTasks },
  { part: "an account", who: "alice", tasks: accountTasks },
  { part: "a server", who: "boss", tasks: adminTasks },
  { part: "entering", who: null, tasks: enteringTasks },
];

/** A page on which the person of these tasks is signed in. */
async function begin({ who }: Part, screen: object) {
  const server = await useAccounts({ registration: "open", invitations: "members" }, { hasUser: false });
  const setupUrl = (await server.auth.services.setup.make("one"))?.url ?? "";
  const people = await addPeople(server);
  if (who === "boss") await server.member(who, "admin");
  const page = await openAt(browser(), server.url, "/user/sign-in", screen);
  if (who !== null) await signInByForm(page, who);
  return { server, people, page, setupUrl };
}

const cases = parts.flatMap((part) => screens.map((screen) => ({ ...part, ...screen })));

test.each(cases)(
  "on $on, each task of $part is done with the keyboard alone, by one call however late the answers are",
  async ({ screen, ...part }) => {
    const stage = await begin(part, screen);
    const faults: Record<string, string> = {};
    for (const [name, task] of Object.entries(part.tasks)) {
      if (part.who === null) await stage.page.context().clearCookies();
      await drive(stage, task, part.who === null ? anew : within).catch((error: unknown) => {
        faults[name] = String(error);
      });
    }
    expect(faults).toEqual({});
  },
  300_000,
);
