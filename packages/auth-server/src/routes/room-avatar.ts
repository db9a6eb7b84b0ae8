import { operator, TelexError } from "@telex/core";
import { bucketContract, id, incomingFile, roomView } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { roomAvatarRoute } from "../contract/avatar.ts";
import { enterRoom } from "../groups/change-room.ts";
import { isPrivate, runs } from "../groups/rules.ts";
import type { AuthDeps } from "../options.ts";

/** The file has just been stored: it is no picture. */
function explain(cause: unknown): never {
  throw TelexError.is(cause) && cause.code === "file_not_found" ? new TelexError("unreadable_image") : cause;
}

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
      errors: ["group_not_found", "not_allowed", "not_supported", "unreadable_image", ...bucketContract.upload.errors],
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
