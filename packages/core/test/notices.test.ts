import { expect, it } from "vitest";
import { operator } from "../src/index.ts";
import { createKit } from "./kit.ts";

it.each([
  { count: 10, end: "Guest 10" },
  { count: 11, end: "Guest 10 … (11)" },
])("the notice of $count added members names ten of them at most", async ({ count, end }) => {
  const { telex, alice, room } = await createKit();
  const userIds: number[] = [];
  for (let number = 1; number <= count; number += 1)
    userIds.push((await telex.operator.users.add(operator, { nickname: `Guest ${number}` })).id);
  await telex.announce({ kind: "members_added", groupId: room, userId: 1, userIds });
  const { groupMessages } = await telex.messages.history(alice, { groupId: room, groupType: 1 });
  expect(groupMessages[0]?.content).toContain(`Guest 9, ${end}`);
  expect(groupMessages[0]?.content).not.toContain("Guest 11");
  expect(groupMessages[0]?.content.includes("…")).toBe(count > 10);
});
