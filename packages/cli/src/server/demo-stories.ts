import type { GroupView, SegmentInput, Telex, TokenHolder } from "@telex/core";

/** A caller in this process, who needs no token. */
export const asUser = (userId: number): TokenHolder => ({
  kind: "token",
  userId,
  scopes: ["chat"],
  tokenId: null,
  expiresAt: null,
});

interface Cast {
  readonly alice: number;
  readonly bob: number;
  readonly pictureId: string;
}

type Story = (cast: Cast) => readonly (readonly [speaker: number, message: string | SegmentInput[]])[];

const stories: readonly Story[] = [
  ({ alice, bob, pictureId }) => [
    [alice, "大家好,欢迎来到茶馆!"],
    [bob, "Hello alice! 你今天在忙什么?"],
    [
      alice,
      [
        { type: "text", data: { text: "我在湖边看日落:" } },
        { type: "image", data: { file_id: pictureId } },
      ],
    ],
    [
      bob,
      [
        { type: "at", data: { ext: "demo-alice" } },
        { type: "text", data: { text: "真美! 🌅 Print it as text." } },
      ],
    ],
  ],
  ({ alice, bob }) => [
    [bob, "晚上一起喝茶吗?"],
    [alice, "好,七点在茶馆见。"],
  ],
];

/** Writes the history of rooms that have no messages. */
export async function tellStories(telex: Telex, groups: readonly GroupView[], cast: Cast): Promise<void> {
  for (const [index, { groupId, groupType }] of groups.entries()) {
    const page = await telex.messages.history(asUser(cast.alice), { groupId, groupType, pageSize: 1 });
    if (page.groupMessages.length > 0) continue;
    for (const [speaker, message] of stories[index]?.(cast) ?? [])
      await telex.messages.send(asUser(speaker), { groupId, groupType, message });
  }
}
