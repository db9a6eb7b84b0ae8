import type { Hands } from "./hands.ts";
import { ask } from "./shared.ts";
import type { Stage, Task } from "./task.ts";

/** A room of Alice, Bob and Carol. */
export const makeRoom = async ({ people: { alice, bob, carol } }: Stage, name = "Walks"): Promise<number> =>
  (await alice.accounts.groups.create({ name, members: [bob.id, carol.id] })).groupId;

export type Prepare = (stage: Stage, groupId: number) => Promise<unknown>;

/** Starts in a new room, after some preparation. */
export const inRoom =
  (prepare: Prepare = async () => {}): Task["begin"] =>
  async (stage) => {
    const groupId = await makeRoom(stage);
    await prepare(stage, groupId);
    return `rooms/${groupId}`;
  };

/** Opens the side panel. On a desktop it is open by default, and it stays open across rooms. */
export async function openSide({ page, press }: Hands, members = 3): Promise<void> {
  const closed = page.locator("[aria-controls=side][aria-expanded=false]");
  await page.locator("#side").or(closed).first().waitFor();
  if ((await page.locator("#side").count()) === 0) await press(closed);
  await page
    .locator("#side .people li")
    .nth(members - 1)
    .waitFor();
}

/** Opens the card of a member. */
export async function openMember(hands: Hands, name: string): Promise<void> {
  await openSide(hands);
  await hands.pressButton(new RegExp(`^${name}`));
}

export async function openOutlets(hands: Hands): Promise<void> {
  await openSide(hands);
  await hands.pressButton("Devices, hooks and models");
}

/** Clicks a button of the panel, and moves the focus to the button that confirms. */
export async function askInSide(hands: Hands, name: string): Promise<void> {
  await openSide(hands);
  await ask(hands, name, name);
}

export const said: Prepare = async ({ people: { alice } }, groupId) =>
  await alice.client.messages.send({ groupId, groupType: 1, message: "at seven" });

/** Moves the focus to an action on the newest message. */
export async function toAction({ page, to, toButton }: Hands, name: string): Promise<void> {
  await page.locator(".message").last().waitFor();
  await to(page.locator(".message-box textarea"));
  await page.keyboard.press("ArrowUp");
  await toButton(name);
}
