import { operator, TelexError } from "@telex/core";
import { bucketContract, id, incomingFile, roomView, text } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { hookAvatarRoute, roomAvatarRoute } from "../contract/avatar.ts";
import { enterRoom } from "../groups/change-room.ts";
import { isPrivate, runs } from "../groups/rules.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { AuthDeps } from "../options.ts";

/** The file has just been stored, so it is not a picture. */
function explain(cause: unknown): never {
  throw TelexError.is(cause) && cause.code === "file_not_found" ? new TelexError("unreadable_image") : cause;
}

const ofRooms = ["group_not_found", "not_allowed", "not_supported"] as const;

/** Sets the picture of a hook, with which its messages appear. It counts among the uploads of its person. */
export const hookAvatarRoutes = ({ telex }: AuthDeps, hooks: Pick<Hooks, "findOfRoom">): PluginRoute[] => [
  defineRoute({
    ...hookAvatarRoute,
    name: "hooks.putAvatar",
    isUpload: true,
    summary: "Stores a picture, and makes it that of a hook of a room that one runs.",
    access: "chat",
    input: z.object({ groupId: id, id: text(1, 64), file: incomingFile }),
    output: z.null(),
    errors: [...ofRooms, "not_found", "unreadable_image", ...bucketContract.upload.errors],
    async run({ caller, input: { groupId, id: hookId, file } }) {
      const key = { groupId, userId: caller.userId };
      await hooks.findOfRoom(key, hookId);
      const { file_id: avatar } = await telex.bucket.upload(caller, { file });
      // Again: the bytes may have taken long to arrive.
      const { userId } = await hooks.findOfRoom(key, hookId);
      await telex.operator.users.amend(operator, { id: userId, avatar }).catch(explain);
      return null;
    },
  }),
];

/** Sets the picture of a room that one runs. It counts among the uploads of its person. */
export function roomAvatarRoutes({ telex, storage }: AuthDeps): PluginRoute[] {
  const assertRuns = async (key: { readonly groupId: number; readonly userId: number }) => {
    const { room, me } = await enterRoom(storage.groups, key);
    if (isPrivate(room) || !runs(me)) throw new TelexError("not_allowed");
    return room.group;
  };
  return [
    defineRoute({
      ...roomAvatarRoute,
      name: "groups.putAvatar",
      isUpload: true,
      summary: "Stores a picture, and makes it that of a room that one runs.",
      access: "chat",
      input: z.object({ groupId: id, file: incomingFile }),
      output: roomView,
      errors: [...ofRooms, "unreadable_image", ...bucketContract.upload.errors],
      async run({ caller, input: { groupId, file } }) {
        const { userId } = caller;
        await assertRuns({ groupId, userId });
        const { file_id: avatar } = await telex.bucket.upload(caller, { file });
        // Again: the bytes may have taken long to arrive.
        await assertRuns({ groupId, userId });
        await telex.operator.groups.amend(operator, { groupId, avatar }).catch(explain);
        await telex.roomChanged(groupId);
        await telex.announce({ kind: "avatar_changed", groupId, userId });
        return await telex.rooms.find(caller, { groupId });
      },
    }),
  ];
}
