import type { AccountContract } from "./account.ts";
import type { AccountAdminContract } from "./admin.ts";
import type { GroupsContract } from "./groups.ts";
import type { HooksContract } from "./hooks.ts";
import type { RoomMessagesContract } from "./messages.ts";
import type { PushContract } from "./push.ts";
import type { RouteTable } from "./route-table.ts";

const api = "/external/api/v1";
const account = `${api}/account`;
const admin = `${api}/admin`;

/** Calls that cost a hash count as ten. */
const post = { method: "POST", cost: 10 } as const;

/** The routes of operations on one's own account. */
export const accountRoutes: RouteTable<AccountContract> = {
  setup: { ...post, path: `${account}/setup` },
  join: { ...post, path: `${account}/join` },
  register: { ...post, path: `${account}/register` },
  recover: { ...post, path: `${account}/recover` },
  signIn: { ...post, path: `${account}/signIn` },
  enter: { ...post, path: `${account}/enter` },
  signInOptions: { method: "POST", path: `${account}/signIn/options` },
  signInWithPasskey: { ...post, path: `${account}/signIn/passkey` },
  openOptions: { method: "POST", path: `${account}/open/options` },
  recoverOptions: { method: "POST", path: `${account}/recover/options` },
  signOut: { method: "POST", path: `${account}/signOut` },
  show: { method: "GET", path: account },
  amend: { method: "PATCH", path: account },
  // A password must not be in a URL.
  remove: { ...post, method: "DELETE", path: account, hasBody: true },
  setPassword: { ...post, path: `${account}/password` },
  removePassword: { method: "DELETE", path: `${account}/password` },
  confirm: { ...post, path: `${account}/confirm` },
  confirmOptions: { method: "POST", path: `${account}/confirm/options` },
  passkeys: { method: "GET", path: `${account}/passkeys` },
  passkeyOptions: { method: "POST", path: `${account}/passkeys/options` },
  addPasskey: { ...post, path: `${account}/passkeys` },
  renamePasskey: { method: "PATCH", path: `${account}/passkeys/:id` },
  removePasskey: { method: "DELETE", path: `${account}/passkeys/:id` },
  sessions: { method: "GET", path: `${account}/sessions` },
  endSession: { method: "DELETE", path: `${account}/sessions/:id` },
  issueToken: { method: "POST", path: `${api}/tokens` },
  identities: { method: "GET", path: `${account}/identities` },
  linkIdentity: { method: "POST", path: `${account}/identities` },
  confirmElsewhere: { method: "POST", path: `${account}/confirm/provider` },
  unlinkIdentity: { method: "DELETE", path: `${account}/identities` },
  applications: { method: "GET", path: `${account}/applications` },
  endApplication: { method: "DELETE", path: `${account}/applications/:id` },
  ticket: { method: "POST", path: `${api}/tickets` },
  invite: { method: "POST", path: `${api}/invitations` },
  invitations: { method: "GET", path: `${api}/invitations` },
  revokeInvitation: { method: "DELETE", path: `${api}/invitations/:id` },
  prompts: { method: "GET", path: `${account}/prompts` },
  addPrompt: { method: "POST", path: `${account}/prompts` },
  changePrompt: { method: "PATCH", path: `${account}/prompts/:id` },
  removePrompt: { method: "DELETE", path: `${account}/prompts/:id` },
};

const groups = `${api}/im/groups`;

/** The routes of operations on rooms that people run. */
export const groupsRoutes: RouteTable<GroupsContract> = {
  create: { method: "POST", path: groups },
  amend: { method: "PATCH", path: `${groups}/:groupId` },
  amendMembers: { method: "POST", path: `${groups}/:groupId/members` },
  leave: { method: "POST", path: `${groups}/:groupId/leave` },
  archive: { method: "POST", path: `${groups}/:groupId/archive` },
  unarchive: { method: "POST", path: `${groups}/:groupId/unarchive` },
  remove: { method: "DELETE", path: `${groups}/:groupId` },
  link: { method: "POST", path: `${groups}/:groupId/link` },
  links: { method: "GET", path: `${groups}/:groupId/links` },
  revokeLink: { method: "DELETE", path: `${groups}/:groupId/links/:id` },
  join: { method: "POST", path: `${api}/im/join` },
  people: { method: "GET", path: `${api}/im/people`, cost: 5 },
  blocks: { method: "GET", path: `${api}/im/blocks` },
  block: { method: "POST", path: `${api}/im/blocks` },
  unblock: { method: "DELETE", path: `${api}/im/blocks/:userId` },
  devices: { method: "GET", path: `${groups}/:groupId/devices` },
};

/** The routes of operations on messages of rooms. */
export const roomMessagesRoutes: RouteTable<RoomMessagesContract> = {
  edit: { method: "POST", path: `${api}/im/edit` },
  react: { method: "POST", path: `${api}/im/react` },
  pin: { method: "POST", path: `${api}/im/pin` },
  pins: { method: "GET", path: `${groups}/:groupId/pins` },
  readers: { method: "GET", path: `${groups}/:groupId/messages/:messageId/readers` },
  missed: { method: "POST", path: `${groups}/:groupId/missed`, cost: 5 },
  notify: { method: "POST", path: `${groups}/:groupId/notify` },
};

/** The routes of operations on hooks of rooms and devices. */
export const hooksRoutes: RouteTable<HooksContract> = {
  hook: { method: "POST", path: `${groups}/:groupId/hooks` },
  hooks: { method: "GET", path: `${groups}/:groupId/hooks` },
  revokeHook: { method: "DELETE", path: `${groups}/:groupId/hooks/:id` },
  deviceHook: { method: "POST", path: `${api}/teleprinter/hooks` },
  deviceHooks: { method: "GET", path: `${api}/teleprinter/hooks` },
  revokeDeviceHook: { method: "DELETE", path: `${api}/teleprinter/hooks/:id` },
};

/** The routes of operations on notifications in browsers. */
export const pushRoutes: RouteTable<PushContract> = {
  key: { method: "GET", path: `${api}/push/key` },
  subscribe: { method: "POST", path: `${api}/push/subscriptions`, cost: 5 },
  unsubscribe: { method: "DELETE", path: `${api}/push/subscriptions/:id` },
};

/** The routes of operations of admins on accounts. */
export const accountAdminRoutes: RouteTable<AccountAdminContract> = {
  invite: { method: "POST", path: `${admin}/invitations` },
  invitations: { method: "GET", path: `${admin}/invitations` },
  revokeInvitation: { method: "DELETE", path: `${admin}/invitations/:id` },
  recovery: { method: "POST", path: `${admin}/users/:id/recovery` },
  importPeople: { method: "POST", path: `${admin}/people` },
  accounts: { method: "GET", path: `${admin}/accounts` },
  account: { method: "GET", path: `${admin}/users/:id/account` },
  sessions: { method: "GET", path: `${admin}/users/:id/sessions` },
  endSessions: { method: "DELETE", path: `${admin}/users/:id/sessions` },
  unlink: { method: "DELETE", path: `${admin}/users/:id/identities` },
  clients: { method: "GET", path: `${admin}/clients` },
  addClient: { method: "POST", path: `${admin}/clients` },
  removeClient: { method: "DELETE", path: `${admin}/clients/:id` },
};
