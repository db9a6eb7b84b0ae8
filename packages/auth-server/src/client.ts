import { type ClientOptions, createRouteMethod } from "@telex/http/client";
import type { Contract } from "@telex/core/contract";
import type { AccountContract } from "./contract/account.ts";
import type { AccountAdminContract } from "./contract/admin.ts";
import { type AccountMethods, assertMethods } from "./contract/methods.ts";
import type { RouteTable } from "./contract/route-table.ts";
import type { RoomMessagesContract } from "./contract/messages.ts";
import type { GroupsContract } from "./contract/groups.ts";
import type { HooksContract } from "./contract/hooks.ts";
import { avatarRoute, hookAvatarRoute, roomAvatarRoute } from "./contract/avatar.ts";
import { exportRoute } from "./contract/export.ts";
import type { PushContract } from "./contract/push.ts";
import {
  accountAdminRoutes,
  accountRoutes,
  groupsRoutes,
  hooksRoutes,
  pushRoutes,
  roomMessagesRoutes,
} from "./contract/tables.ts";

export type { ApplicationView } from "./contract/applications.ts";
export type { KeptPrompt } from "./accounts/prompts.ts";
export type { IdentityView } from "./contract/identities.ts";
export { writeCsv } from "./people-list/csv.ts";
export { readPeopleList } from "./people-list/people-list.ts";
export type { Listed, ListedProblem } from "./people-list/people-list.ts";
export type {
  AccountSummary,
  AccountView,
  InvitationView,
  MadeLinkView,
  PasskeyView,
  SessionView,
} from "./accounts/views.ts";

/** The operations of accounts over HTTP. */
export interface AccountClient extends AccountMethods<AccountContract> {
  /**
   * One's own data, as JSON that the server makes while it is read. The body may be long: save it to a file as it comes.
   * @throws TelexClientError and what `fetch` throws
   */
  readonly exportData: (options?: { readonly signal?: AbortSignal }) => Promise<Response>;
  /**
   * Stores a picture, and makes it the avatar of one's own account.
   * @throws TelexClientError such as `unreadable_image`, and what `fetch` throws
   */
  readonly putAvatar: (input: { readonly file: Blob }, options?: { readonly signal?: AbortSignal }) => Promise<void>;
  /** For a token with the scope `admin`, or the session of an admin. */
  readonly admin: AccountMethods<AccountAdminContract>;
  /** Rooms that people run, and people. */
  readonly groups: AccountMethods<GroupsContract>;
  /** Hooks of rooms and devices. */
  readonly hooks: AccountMethods<HooksContract>;
  /** Edits, reactions, pins, readers and levels of rooms. */
  readonly messages: AccountMethods<RoomMessagesContract>;
  /** Notifications in browsers. */
  readonly push: AccountMethods<PushContract>;
  /**
   * Stores a picture, and makes it that of a hook of a room that one runs.
   * @throws TelexClientError such as `unreadable_image`, and what `fetch` throws
   */
  readonly putHookAvatar: (
    input: { readonly groupId: number; readonly id: string; readonly file: Blob },
    options?: { readonly signal?: AbortSignal },
  ) => Promise<void>;
  /**
   * Stores a picture, and makes it that of a room that one runs.
   * @throws TelexClientError such as `unreadable_image`, and what `fetch` throws
   */
  readonly putRoomAvatar: (
    input: { readonly groupId: number; readonly file: Blob },
    options?: { readonly signal?: AbortSignal },
  ) => Promise<void>;
}

const methodsOf = <C extends Contract>(table: RouteTable<C>, options: ClientOptions): object =>
  Object.fromEntries(
    Object.entries(table).map(([name, { hasBody = false, ...route }]) => {
      const isQuery = !hasBody && (route.method === "GET" || route.method === "DELETE");
      return [name, createRouteMethod({ ...route, input: isQuery ? "query" : "json" }, options)];
    }),
  );

/**
 * A client for the accounts of a server. In a page of the server, the browser adds the cookie of the session.
 * @example
 * const { list } = await createAccountClient({ url: location.origin }).sessions({});
 */
export function createAccountClient(options: ClientOptions): AccountClient {
  const own = methodsOf(accountRoutes, options);
  const admin = methodsOf(accountAdminRoutes, options);
  const groups = methodsOf(groupsRoutes, options);
  assertMethods<AccountContract>(own, accountRoutes);
  assertMethods<AccountAdminContract>(admin, accountAdminRoutes);
  assertMethods<GroupsContract>(groups, groupsRoutes);
  const hooks = methodsOf(hooksRoutes, options);
  assertMethods<HooksContract>(hooks, hooksRoutes);
  const messages = methodsOf(roomMessagesRoutes, options);
  assertMethods<RoomMessagesContract>(messages, roomMessagesRoutes);
  const push = methodsOf(pushRoutes, options);
  assertMethods<PushContract>(push, pushRoutes);
  const download = createRouteMethod({ ...exportRoute, input: "query" }, options);
  const exportData: AccountClient["exportData"] = async (callOptions) => {
    const response = await download({}, callOptions);
    if (response instanceof Response) return response;
    throw new TypeError("The export has no response.");
  };
  const upload = createRouteMethod({ ...avatarRoute, input: "upload" }, options);
  const putAvatar: AccountClient["putAvatar"] = async (input, callOptions) => void (await upload(input, callOptions));
  const uploadForRoom = createRouteMethod({ ...roomAvatarRoute, input: "upload" }, options);
  const putRoomAvatar: AccountClient["putRoomAvatar"] = async (input, callOptions) =>
    void (await uploadForRoom(input, callOptions));
  const uploadForHook = createRouteMethod({ ...hookAvatarRoute, input: "upload" }, options);
  const putHookAvatar: AccountClient["putHookAvatar"] = async (input, callOptions) =>
    void (await uploadForHook(input, callOptions));
  return { ...own, exportData, putAvatar, putRoomAvatar, putHookAvatar, admin, groups, hooks, messages, push };
}
