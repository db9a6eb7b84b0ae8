import type { z } from "zod";
import type { Operator, TokenHolder, CallContext, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { shownConnect } from "@telex/ground/options";
import type { Clock, Zone } from "@telex/ground/time";
import type { IncomingFile } from "@telex/files/blobs";
import type { GroupStore } from "../groups/store.ts";
import type { UserAdminContract, UserView } from "./contract.ts";
import type { UserChange, UserStore } from "./store.ts";
import type { UserRecord } from "../records/users.ts";
import type { AccountStore } from "../accounts/store.ts";
import { changeRole } from "./change-role.ts";
import { assertAlone, assertMayForce, changeState } from "./change-state.ts";
import { amendOneBot, readOneBot } from "./one-bot.ts";
import { assertUser } from "./token-operator.ts";

interface UserAdminDeps {
  readonly users: UserStore;
  readonly accounts: Pick<AccountStore, "findAccount" | "amendAccount">;
  /**
   * Keeps a stored image from being swept; false when there is no such image.
   * @throws TelexError `unreadable_image` if it cannot be decoded, `busy`
   */
  readonly keepImage: (md5: string) => Promise<boolean>;
  /** Stores a file as the user would have uploaded it, and returns its MD5. */
  readonly storeFile: (userId: number, file: IncomingFile) => Promise<string>;
  /** Checks that a token is still valid. */
  readonly assertCurrent: (holder: TokenHolder) => void;
  readonly clock: Clock;
  readonly zone: Zone;
  /** Makes a change visible in this process, also to open connections, before it resolves. */
  readonly userChanged: (userId: number) => Promise<void>;
  /** Ends everything that a user has, except for their messages. */
  readonly endUser: (userId: number) => Promise<void>;
  /** Gives the rooms that only a suspended user owns to an heir. */
  readonly passOn: (userId: number) => Promise<void>;
  readonly groups: Pick<GroupStore, "listGroupsOf">;
  /** Posts a notice to a room, as this admin, that a model answers as a member. Resolves when it is durable. */
  readonly announceModel: (groupId: number, adminId: number) => Promise<void>;
}

const extTaken = (): TelexError =>
  new TelexError("invalid_request", { issues: [{ path: "ext", problem: "ext_taken", params: {} }] });

function oneBotView(field: string | null): UserView["oneBot"] {
  const settings = readOneBot(field);
  if (settings === null) return null;
  const { connect, secret, protocol, self } = settings;
  return { connect: shownConnect(connect), hasSecret: secret !== null, protocol, self };
}

const userView = (
  { userId, nickname, ext, phone, avatar, ai, oneBot, suspended, createdAt }: UserRecord,
  zone: Zone,
): UserView => ({
  id: userId,
  nickname,
  ext,
  phone,
  avatar,
  ai,
  oneBot: oneBotView(oneBot),
  state: suspended ? "suspended" : "active",
  createdAt: zone.format(createdAt),
});

/** The given fields, without those that are undefined. */
const changeOf = (input: {
  readonly [K in Exclude<keyof UserChange, "oneBot">]?: UserChange[K] | undefined;
}): UserChange => ({
  ...(input.nickname === undefined ? {} : { nickname: input.nickname }),
  ...(input.ext === undefined ? {} : { ext: input.ext }),
  ...(input.phone === undefined ? {} : { phone: input.phone }),
  ...(input.avatar === undefined ? {} : { avatar: input.avatar }),
  ...(input.ai === undefined ? {} : { ai: input.ai }),
});

type OneBotChange = z.output<UserAdminContract["amend"]["input"]>["oneBot"];

/**
 * The program behind the address acts as the user, and reads what the user reads, for as long as it is set: for an admin that would be more
 * than any token that they can issue.
 * @throws TelexError `insufficient_scope`
 */
function assertMayConnect(caller: Operator | TokenHolder, change: OneBotChange): void {
  if (caller.kind === "operator" || typeof change?.connect !== "string") return;
  throw new TelexError("insufficient_scope", { reason: "onebot_connect_reserved" });
}

/**
 * Posts a notice to each room of a user that an admin makes a model answer as this user. Call it before the change. Each room is charged
 * like a call.
 * @throws TelexError `invalid_token` if the token of the admin has ended
 */
async function announceModel(
  { users, groups, ...deps }: UserAdminDeps,
  admin: TokenHolder,
  { userId, ai }: Pick<UserRecord, "userId" | "ai">,
  context: CallContext,
): Promise<void> {
  if (ai === null || ((await users.findUser(userId))?.ai ?? null) === ai) return;
  for (const groupId of await groups.listGroupsOf(userId)) {
    await deps.announceModel(groupId, admin.userId);
    context.charge?.(1);
  }
  deps.assertCurrent(admin);
}

async function oneBotChange(users: UserStore, userId: number, change: OneBotChange): Promise<UserChange> {
  if (change === undefined) return {};
  return { oneBot: amendOneBot((await users.findUser(userId))?.oneBot ?? null, change) };
}

/** A user with what `add` was called with. */
const newUser = (
  { nickname, ext, phone, ai }: z.output<UserAdminContract["add"]["input"]>,
  createdAt: number,
): Omit<UserRecord, "userId"> => ({
  nickname,
  ext: ext ?? null,
  phone: phone ?? null,
  avatar: null,
  ai: ai ?? null,
  oneBot: null,
  suspended: false,
  createdAt,
});

/** @throws TelexError `user_not_found`, `last_admin` */
async function remove(deps: UserAdminDeps, userId: number, force: boolean): Promise<void> {
  const { users, clock } = deps;
  // First: it ends the connections, and of several admins who remove each other, one stays. It does not matter if the user does not exist any more: the rest may still have to be removed.
  const suspended = await users.suspendUser(userId, { suspended: true, force });
  if (suspended.outcome === "last_admin") throw new TelexError("last_admin");
  await deps.userChanged(userId);
  // Before: a failure leaves a user who can be removed again. Afterwards: for what a call in progress has added.
  await deps.endUser(userId);
  const removed = await users.dropUser(userId, clock.now());
  await deps.userChanged(userId);
  await deps.endUser(userId);
  if (!removed) throw new TelexError("user_not_found");
}

async function findUser(users: UserStore, id: number): Promise<UserRecord> {
  const user = await users.findUser(id);
  if (user === null) throw new TelexError("user_not_found");
  return user;
}

/** Changes the role of a user's account, and returns the user. */
async function withRole(deps: UserAdminDeps, id: number, role: Parameters<typeof changeRole>[2]) {
  const user = await findUser(deps.users, id);
  await changeRole(deps.accounts, id, role);
  await deps.userChanged(id);
  return user;
}

/** The operator's side of users. */
export function createUsersOperator(deps: UserAdminDeps): Implementation<UserAdminContract> {
  const { users, zone, clock } = deps;
  const amend = async (id: number, change: UserChange): Promise<UserView> => {
    const amended = await users.amendUser(id, change);
    if (amended.outcome === "missing") throw new TelexError("user_not_found");
    if (amended.outcome === "ext_taken") throw extTaken();
    await deps.userChanged(id);
    return userView(amended.user, zone);
  };
  return {
    async add(_operator, input) {
      const added = await users.appendUser(newUser(input, clock.now()));
      if (added.outcome === "ext_taken") throw extTaken();
      return userView(added.user, zone);
    },
    async list(_operator, { after = 0, limit }) {
      return (await users.listUsers({ after, limit })).map((user) => userView(user, zone));
    },
    show: async (_operator, { id }) => userView(await findUser(users, id), zone),
    async amend(caller, { id, state, role, force, ...fields }, context) {
      assertMayForce(caller, force);
      if (role !== undefined) {
        assertAlone("role", { ...fields, state });
        return userView(await withRole(deps, id, { role, force }), zone);
      }
      if (state !== undefined) {
        assertAlone("state", fields);
        const user = await changeState(users, id, { state, force });
        await deps.userChanged(id);
        if (user.suspended) await deps.passOn(id);
        return userView(user, zone);
      }
      const { oneBot, ...input } = fields;
      assertMayConnect(caller, oneBot);
      if (typeof input.avatar === "string") {
        // First: a refused call must keep no file, because it is not in the log.
        await assertUser(users, id);
        if (!(await deps.keepImage(input.avatar))) throw new TelexError("file_not_found");
      }
      if (caller.kind === "token") await announceModel(deps, caller, { userId: id, ai: input.ai ?? null }, context);
      return amend(id, { ...changeOf(input), ...(await oneBotChange(users, id, oneBot)) });
    },
    async putAvatar(caller, { id, file }) {
      await assertUser(users, id);
      const avatar = await deps.storeFile(id, file);
      // The bytes may have taken long to arrive.
      if (caller.kind === "token") deps.assertCurrent(caller);
      if (!(await deps.keepImage(avatar))) throw new TelexError("unreadable_image");
      return amend(id, { avatar });
    },
    async remove(caller, { id, force = false }) {
      assertMayForce(caller, force);
      await remove(deps, id, force);
      return null;
    },
  };
}
