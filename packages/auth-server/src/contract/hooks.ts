import { defineContract, id, shortText, text } from "@telex/core/contract";
import { z } from "zod";

const groupId = id;
const hookId = text(1, 64);
const deviceId = shortText(128);
const given = {
  name: text(1, 64),
  template: text(1, 4000).optional().meta({
    description: "For JSON of any form: `{{a.b[0].c}}` is what is there. Default: Slack, Discord, or a text.",
  }),
};

const made = z.object({ id: z.string(), url: z.string().meta({ description: "Shown only once." }) });
const hook = z.object({
  id: z.string(),
  name: z.string(),
  userId: z.string().meta({ description: "The user that it writes as." }),
  makerId: z.int().nullable(),
  template: z.string().nullable(),
});
const deviceHook = hook.extend({ deviceId: z.string() });

const ofRooms = ["group_not_found", "not_allowed", "not_supported"] as const;

/** Hooks: addresses at which programs write to a room or a device. */
export const hooksContract = defineContract({
  hook: {
    summary: "Makes a hook of a room that one runs: an address at which programs write to it.",
    access: "chat",
    input: z.object({ groupId, ...given }),
    output: made,
    errors: [...ofRooms, "archived", "quota_exceeded"],
  },
  hooks: {
    summary: "Lists the hooks of a room that one runs.",
    access: "chat",
    input: z.object({ groupId }),
    output: z.object({ list: z.array(hook) }),
    errors: ofRooms,
  },
  revokeHook: {
    summary: "Ends a hook of a room that one runs.",
    access: "chat",
    input: z.object({ groupId, id: hookId }),
    output: z.null(),
    errors: [...ofRooms, "not_found"],
  },
  deviceHook: {
    summary: "Makes a hook of one's own device: an address at which programs print on it.",
    access: "chat",
    input: z.object({ deviceId, ...given }),
    output: made,
    errors: ["device_not_found", "not_owner", "quota_exceeded"],
  },
  deviceHooks: {
    summary: "Lists the hooks of one's own devices.",
    access: "chat",
    input: z.object({}),
    output: z.object({ list: z.array(deviceHook) }),
    errors: [],
  },
  revokeDeviceHook: {
    summary: "Ends a hook of one's own device.",
    access: "chat",
    input: z.object({ id: hookId }),
    output: z.null(),
    errors: ["not_found"],
  },
});

/** Hooks of rooms and devices. */
export type HooksContract = typeof hooksContract;
