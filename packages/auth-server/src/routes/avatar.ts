import { operator, TelexError } from "@telex/core";
import { bucketContract, incomingFile } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { avatarRoute } from "../contract/avatar.ts";
import { accountView, viewAccount } from "../accounts/views.ts";
import type { RouteParts } from "./parts.ts";

/** Sets the picture of one's own account. It counts among the uploads of its person. */
export const avatarRoutes = ({ telex, storage, services: { sessions, invitations } }: RouteParts): PluginRoute[] => [
  defineRoute({
    ...avatarRoute,
    name: "account.putAvatar",
    isUpload: true,
    summary: "Stores a picture, and makes it the avatar of one's own account.",
    access: "chat",
    input: z.object({ file: incomingFile }),
    output: accountView,
    errors: ["not_allowed", "unreadable_image", "busy", ...bucketContract.upload.errors],
    async run({ caller, input: { file } }) {
      const { account } = sessions.of(caller);
      await telex.operator.users.putAvatar(operator, { id: account.userId, file });
      const user = await storage.users.findUser(account.userId);
      if (user === null) throw new TelexError("invalid_token");
      telex.security.note("account.changed", { userId: account.userId });
      return viewAccount(account, user, invitations.canInvite(account));
    },
  }),
];
