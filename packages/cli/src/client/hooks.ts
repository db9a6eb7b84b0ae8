import type { AccountClient } from "@telex/auth-server/client";
import { print, printRows } from "../terminal/output.ts";
import { callAccount } from "./account-calls.ts";
import type { Server } from "./server.ts";

type Hooks = AccountClient["hooks"];

/** A room, or one's own device. */
export type HookTarget = { readonly groupId: string } | { readonly deviceId: string };

interface NewHook {
  readonly name: string;
  readonly template?: string;
}

const makeAt = async (hooks: Hooks, target: HookTarget, hook: NewHook) =>
  await ("groupId" in target ? hooks.hook({ ...target, ...hook }) : hooks.deviceHook({ ...target, ...hook }));

export const makeHook = async (server: Server, json: boolean, target: HookTarget, hook: NewHook): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ hooks }) => await makeAt(hooks, target, hook),
    ({ url }) => print(`${url}\nThis address is shown only once.`),
  );

/** @param target a room, or null for one's own devices */
export const listHooks = async (server: Server, json: boolean, groupId: string | null): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ hooks }): Promise<readonly ListedHook[]> => {
      const { list } = await (groupId === null ? hooks.deviceHooks({}) : hooks.hooks({ groupId }));
      return list;
    },
    (list) =>
      printRows(list, { id: ({ id }) => id, name: ({ name }) => name, device: ({ deviceId }) => deviceId ?? null }),
  );

interface ListedHook {
  readonly id: string;
  readonly name: string;
  readonly deviceId?: string;
}

/** @param groupId the room of the hook, or null for a hook of a device */
export const removeHook = async (server: Server, json: boolean, id: string, groupId: string | null): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ hooks }) => await (groupId === null ? hooks.revokeDeviceHook({ id }) : hooks.revokeHook({ groupId, id })),
    "The hook has ended.",
  );
