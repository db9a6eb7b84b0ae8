import { z } from "zod";
import { defineContract, text, interfaceLimits } from "@telex/ground/contract";

const jpeg = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array)
  .meta({ type: "string", format: "binary", contentMediaType: "image/jpeg" });

/** An avatar: a JPEG and the strong tag of its content, without quotes. */
const avatar = z.object({ jpeg, etag: z.string() });

const input = z.object({
  id: text(1, 64).meta({ description: "An unknown id gets a generated avatar." }),
  size: z.int().min(1).max(interfaceLimits.avatarSide).optional().meta({ description: "Pixels of the longer side." }),
});

const operation = (summary: string) =>
  ({ summary, access: { family: "avatars" }, input, output: avatar, errors: ["busy"] }) as const;

/** Avatars (interface 4.4). */
export const avatarsContract = defineContract({
  personal: operation("The avatar of a user."),
  group: operation("The avatar of a chat room."),
  extPersonal: operation("The avatar of a user of the external network."),
  extGroup: operation("The avatar of a group of the external network."),
});

/** The type of {@link avatarsContract}. */
export interface AvatarsContract extends Readonly<typeof avatarsContract> {}
/** An avatar as it goes out. */
export type AvatarView = z.output<typeof avatar>;
