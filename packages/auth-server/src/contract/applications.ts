import { defineContract, text } from "@telex/core/contract";
import { z } from "zod";

const moment = z.iso.datetime().meta({ description: "ISO 8601 in UTC." });

const applicationView = z.object({
  id: z.string().meta({ description: "The id of the access, with which it can be ended." }),
  client: z.object({ id: z.string(), name: z.string() }),
  scopes: z.array(z.string()),
  createdAt: moment,
  until: moment,
});

/** An application that has access to an account, as the owner of the account sees it. */
export type ApplicationView = z.output<typeof applicationView>;

/** Applications that have access to one's own account. */
export const applicationContract = defineContract({
  applications: {
    summary: "Applications and programs that have access to one's account, the newest first.",
    access: "token",
    input: z.object({}),
    output: z.object({ list: z.array(applicationView) }),
    errors: ["not_allowed"],
  },
  endApplication: {
    summary: "Revokes the access of an application. Its tokens end.",
    access: "token",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_allowed", "not_found"],
  },
});

/** The type of {@link applicationContract}. */
export type ApplicationContract = typeof applicationContract;
