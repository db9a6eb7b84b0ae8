import { defineContract, id, roomView, text } from "@telex/core/contract";
import { z } from "zod";
import { invitationView, madeLinkView } from "../accounts/views.ts";
import { fields, linkLife } from "./fields.ts";

const groupId = id;
const linkId = text(1, 64);

/** Links with which people who have an account join a room. */
export const groupLinksContract = defineContract({
  link: {
    summary: "Makes a link with which people who have an account join a room that one runs. It is shown only once.",
    access: "chat",
    input: z.object({ groupId, uses: z.int().min(1).max(1000).default(100), life: linkLife }),
    output: madeLinkView,
    errors: ["group_not_found", "not_allowed", "not_supported", "archived", "quota_exceeded"],
  },
  links: {
    summary: "Lists the links of a room that one runs, by id, without their secrets.",
    access: "chat",
    input: z.object({
      groupId,
      pageSize: z.int().min(1).max(100).default(50),
      cursor: linkId.optional().meta({ description: "`nextCursor` of the page before." }),
    }),
    output: z.object({ list: z.array(invitationView), nextCursor: z.string().nullable() }),
    errors: ["group_not_found", "not_allowed", "not_supported"],
  },
  revokeLink: {
    summary: "Ends a link of a room that one runs. People who have used it stay.",
    access: "chat",
    input: z.object({ groupId, id: linkId }),
    output: z.null(),
    errors: ["group_not_found", "not_allowed", "not_supported", "not_found"],
  },
  join: {
    summary: "Joins the room of a link. For a member, the link loses no use.",
    access: "chat",
    input: z.object({ secret: fields.secret }),
    output: roomView,
    errors: ["link_ended", "archived", "user_not_found", "group_not_found", "busy"],
  },
});
