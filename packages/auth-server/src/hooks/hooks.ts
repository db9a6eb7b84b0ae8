import { operator, TelexError } from "@telex/core";
import type { LinkRecord } from "@telex/core/storage";
import { actingFor } from "@telex/core/transport";
import { z } from "zod";
import { digestOf, isSecretShaped } from "../credentials/secrets.ts";
import { enterRoom } from "../groups/change-room.ts";
import { assertRunsOpen, runs } from "../groups/rules.ts";
import { makeLink, type MadeLink } from "../links/links.ts";
import type { AuthDeps } from "../options.ts";
import type { HookMessage } from "./body.ts";
import { isSuspended } from "../sessions/suspended.ts";

const kind = "hook";
const roomTarget = z.object({ groupId: z.int() });
const deviceTarget = z.object({ deviceId: z.string() });
const hookData = z.object({
  target: z.union([roomTarget, deviceTarget]),
  /** The user that it writes as. It cannot sign in. */
  userId: z.int(),
  name: z.string(),
  template: z.string().nullable(),
});

/** The target of a hook, and how it writes there. */
type HookData = z.output<typeof hookData>;

/** A hook, and the link that opens it. */
export interface Hook extends HookData {
  readonly link: LinkRecord;
}

/** A hook to make. */
interface NewHook {
  readonly name: string;
  readonly template: string | null;
}

/** A hook does not expire: Unix milliseconds, in the year 9999. */
const never = Date.UTC(9999, 0);

const readHook = (link: LinkRecord): Hook => ({ link, ...hookData.parse(JSON.parse(link.data)) });

const ofRoom = (groupId: number): string => `r${groupId}-`;
const ofOwner = (userId: number): string => `u${userId}-`;

async function make(
  deps: AuthDeps,
  makerId: number,
  prefix: string,
  { name, template, target }: NewHook & Pick<HookData, "target">,
): Promise<MadeLink> {
  const { telex } = deps;
  const { id: userId } = await telex.operator.users.add(operator, { nickname: name });
  const data: HookData = { target, userId, name, template };
  const life = never - telex.clock.now();
  const made = makeLink(deps, { kind, page: "/hooks", makerId, data, life, prefix, isCalled: true });
  const link = await made.catch(async (cause: unknown) => {
    await telex.operator.users.remove(operator, { id: userId });
    throw cause;
  });
  telex.security.note("link.made", { by: makerId, linkId: link.id, kind });
  return link;
}

async function page({ storage, telex }: AuthDeps, prefix: string): Promise<Hook[]> {
  const links = await storage.accounts.listLinks({ kind, after: prefix, limit: 1000 });
  const now = telex.clock.now();
  return links
    .filter(({ linkId, revokedAt, until }) => linkId.startsWith(prefix) && revokedAt === null && until > now)
    .map(readHook);
}

async function revoke({ storage, telex }: AuthDeps, by: number, linkId: string): Promise<void> {
  const revoked = await storage.accounts.revokeLink({ linkId, kind, now: telex.clock.now() });
  if (revoked === null) throw new TelexError("not_found");
  telex.security.note("link.revoked", { by, linkId });
}

/** A room, and a member who looks after its hooks. */
interface RoomKey {
  readonly groupId: number;
  readonly userId: number;
}

function createRoomHooks(deps: AuthDeps) {
  const { groups } = deps.storage;
  const assertRuns = async (key: RoomKey): Promise<void> => {
    const { me } = await enterRoom(groups, key);
    if (!runs(me)) throw new TelexError("not_allowed");
  };
  return {
    /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported`, `archived`, `quota_exceeded` */
    async makeForRoom(key: RoomKey, hook: NewHook): Promise<MadeLink> {
      const { room, me } = await enterRoom(groups, key);
      assertRunsOpen(room, me);
      const { groupId, userId } = key;
      return await make(deps, userId, ofRoom(groupId), { ...hook, target: { groupId } });
    },
    /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported` */
    async listOfRoom(key: RoomKey): Promise<Hook[]> {
      await assertRuns(key);
      return await page(deps, ofRoom(key.groupId));
    },
    /** The hooks of a room, for its members. */
    hooksIn: async (groupId: number): Promise<Hook[]> => await page(deps, ofRoom(groupId)),
    /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported`, `not_found` */
    async findOfRoom(key: RoomKey, id: string): Promise<Hook> {
      await assertRuns(key);
      const hook = (await page(deps, ofRoom(key.groupId))).find(({ link }) => link.linkId === id);
      if (hook === undefined) throw new TelexError("not_found");
      return hook;
    },
    /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported`, `not_found` */
    async revokeOfRoom(key: RoomKey, id: string): Promise<void> {
      await assertRuns(key);
      if (!id.startsWith(ofRoom(key.groupId))) throw new TelexError("not_found");
      await revoke(deps, key.userId, id);
    },
  };
}

const createDeviceHooks = (deps: AuthDeps) => ({
  /** @throws TelexError `device_not_found`, `not_owner`, `quota_exceeded` */
  async makeForDevice(userId: number, deviceId: string, hook: NewHook): Promise<MadeLink> {
    const device = await deps.storage.teleprinter.findDevice(deviceId);
    if (device === null) throw new TelexError("device_not_found", { params: { deviceId } });
    if (device.owner !== userId) throw new TelexError("not_owner", { params: { deviceId } });
    return await make(deps, userId, ofOwner(userId), { ...hook, target: { deviceId } });
  },
  /** The hooks of the devices of a person. */
  listOfOwner: async (userId: number): Promise<Hook[]> => await page(deps, ofOwner(userId)),
  /** @throws TelexError `not_found` */
  async revokeOfOwner(userId: number, id: string): Promise<void> {
    if (!id.startsWith(ofOwner(userId))) throw new TelexError("not_found");
    await revoke(deps, userId, id);
  },
});

/** True if the maker of a hook may still write to its target. */
async function mayWrite({ storage }: AuthDeps, { target, link: { makerId } }: Hook): Promise<boolean> {
  const maker = makerId === null ? null : await storage.users.findUser(makerId);
  if (maker === null || isSuspended(maker)) return false;
  if ("groupId" in target) return (await storage.groups.findRoom(target.groupId))?.members.has(maker.userId) === true;
  return (await storage.teleprinter.findDevice(target.deviceId))?.owner === maker.userId;
}

const createCalls = (deps: AuthDeps) => ({
  /** The hook of a secret, if its maker may still write there. Null for any other. */
  async find(secret: string): Promise<Hook | null> {
    if (!isSecretShaped("link", secret)) return null;
    const use = { digest: digestOf(secret), kind, now: deps.telex.clock.now() } as const;
    const link = await deps.storage.accounts.findLink(use);
    const hook = link === null ? null : readHook(link);
    return hook !== null && (await mayWrite(deps, hook)) ? hook : null;
  },
  /** @throws TelexError `archived`, `nonce_conflict`, `queue_full` and others */
  async write({ target, userId, name, link }: Hook, message: HookMessage, nonce: string | null): Promise<void> {
    const { text, username } = message;
    if ("groupId" in target) {
      const nickname = username === "" ? name : `${username} · ${name}`;
      await deps.telex.postText({ groupId: target.groupId, userId, nickname, text, nonce });
      return;
    }
    const request = { deviceId: target.deviceId, content: text, ...(nonce !== null && { nonce }) };
    await deps.telex.teleprinter.send(actingFor(link.makerId ?? 0), request);
  },
});

/** Hooks: addresses at which programs write to a room or a device. */
export const createHooks = (deps: AuthDeps) => ({
  ...createRoomHooks(deps),
  ...createDeviceHooks(deps),
  ...createCalls(deps),
});

/** The hooks of an instance. */
export type Hooks = ReturnType<typeof createHooks>;
