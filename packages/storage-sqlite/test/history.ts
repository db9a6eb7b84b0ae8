import assert from "node:assert/strict";
import type { Storage } from "@telex/core/storage";

/** The messages of a room, oldest first. Fails unless their positions are 1, 2, 3 and so on. */
export async function contentsOf({ messages }: Storage, groupId: number): Promise<string[]> {
  const page = await messages.page({ groupId, before: null, limit: 1_000_000 });
  const oldestFirst = page.messages.toReversed();
  assert.deepEqual(
    oldestFirst.map(({ seq }) => seq),
    oldestFirst.map((_, index) => index + 1),
  );
  return oldestFirst.map(({ content }) => content);
}
