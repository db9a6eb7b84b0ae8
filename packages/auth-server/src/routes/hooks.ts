import type { HooksContract } from "../contract/hooks.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { Hook, Hooks } from "../hooks/hooks.ts";

const viewHook = ({ link, name, userId, template }: Hook) => ({
  id: link.linkId,
  name,
  userId: String(userId),
  makerId: link.makerId,
  template,
});

/** The operations on hooks. */
export const createHookRuns = (hooks: Hooks): Runs<HooksContract> => ({
  async hook({ userId }, { groupId, name, template = null }) {
    const { id, url } = await hooks.makeForRoom({ groupId, userId }, { name, template });
    return { id, url };
  },
  hooks: async ({ userId }, { groupId }) => ({ list: (await hooks.listOfRoom({ groupId, userId })).map(viewHook) }),
  async revokeHook({ userId }, { groupId, id }) {
    await hooks.revokeOfRoom({ groupId, userId }, id);
    return null;
  },
  async deviceHook({ userId }, { deviceId, name, template = null }) {
    const { id, url } = await hooks.makeForDevice(userId, deviceId, { name, template });
    return { id, url };
  },
  deviceHooks: async ({ userId }) => ({
    list: (await hooks.listOfOwner(userId)).flatMap((hook) =>
      "deviceId" in hook.target ? [{ ...viewHook(hook), deviceId: hook.target.deviceId }] : [],
    ),
  }),
  async revokeDeviceHook({ userId }, { id }) {
    await hooks.revokeOfOwner(userId, id);
    return null;
  },
});
