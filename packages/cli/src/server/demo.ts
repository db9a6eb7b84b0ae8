import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { operator } from "@telex/core";
import type { GroupView, Telex, UserView } from "@telex/core";
import type { GroupType } from "@telex/core/storage";
import type { ImageEngine } from "@telex/image-text/sharp";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { makeFolder } from "../storage/place.ts";
import { drawDemoPicture } from "./demo-picture.ts";
import { linkAddressOf } from "./accounts.ts";
import type { Running } from "./start.ts";
import { asUser, tellStories } from "./demo-stories.ts";

/** The contents of the demo, new or from an earlier start. */
export interface Demo {
  readonly url: string;
  readonly wsUrl: string;
  /** The address of pages and links: the same server as at `url`, under a name that browsers take for sign-in. */
  readonly linkUrl: string;
  readonly users: readonly DemoUser[];
  readonly groups: readonly GroupView[];
  /** A device of the first user. */
  readonly deviceId: string;
  /** The path of a picture on the disk, relative to the current folder. */
  readonly picture: string;
  /** The MD5 of the same picture, uploaded. */
  readonly pictureId: string;
}

/** A user, with a token for this start. */
export interface DemoUser {
  readonly id: number;
  readonly nickname: string;
  readonly token: string;
  /** Signs the user in with a click, for 24 hours. */
  readonly link: string;
}

const deviceId = "demo-printer";

/** Milliseconds. Each start of the demo issues new tokens. */
const tokenLife = 24 * 60 * 60 * 1000;

/** The two scopes together mark tokens of the demo, so that the next start revokes them and no others. */
const scopes = ["chat", "profile"];

/** Adds missing users, rooms, a device and a history, and issues tokens for this start. */
export async function createDemo(running: Running, config: Config, url: string): Promise<Demo> {
  const { telex, storage, images } = running;
  const file = join(config.get(settings.data), "demo", "lake.jpg");
  const jpeg = await readFile(file).catch(async () => await writePicture(file, images));
  const ensureUser = async (nickname: string): Promise<UserView> => {
    const existing = await storage.users.findUserByExt(`demo-${nickname}`);
    if (existing !== null) return await telex.operator.users.show(operator, { id: existing.userId });
    return await telex.operator.users.add(operator, { nickname, ext: `demo-${nickname}` });
  };
  const alice = await ensureUser("alice");
  const bob = await ensureUser("bob");
  const pictureId = await upload(telex, alice.id, jpeg);
  const groups = await ensureGroups(running, [alice, bob]);
  await tellStories(telex, groups, { alice: alice.id, bob: bob.id, pictureId });
  await ensureDevice(telex, alice.id);
  await ensureAccount(running, alice, "admin");
  await ensureAccount(running, bob, null);
  const users = [await enterable(running, alice), await enterable(running, bob)];
  return {
    url,
    wsUrl: url.replace(/^http/, "ws"),
    linkUrl: linkAddressOf(config, url),
    users,
    groups,
    deviceId,
    picture: relative(process.cwd(), file),
    pictureId,
  };
}

async function writePicture(file: string, images: ImageEngine): Promise<Uint8Array> {
  const { rgb, width, height } = drawDemoPicture();
  const jpeg = await images.encode(rgb, width, height);
  await makeFolder(dirname(file));
  await writeFile(file, jpeg);
  return jpeg;
}

async function upload(telex: Telex, userId: number, jpeg: Uint8Array): Promise<string> {
  const bytes = (async function* () {
    yield jpeg;
  })();
  return (await telex.bucket.upload(asUser(userId), { file: { name: "lake.jpg", mime: "image/jpeg", bytes } })).file_id;
}

const rooms: readonly { readonly groupType: GroupType; readonly name: string; readonly ext: string }[] = [
  { groupType: 1, name: "茶馆 Teahouse", ext: "demo-teahouse" },
  { groupType: 2, name: "alice & bob", ext: "demo-alice-bob" },
];

async function ensureGroups({ telex, storage }: Running, members: readonly UserView[]): Promise<GroupView[]> {
  const groups: GroupView[] = [];
  for (const room of rooms) {
    const existing = await storage.groups.findGroupByExt({ ext: room.ext, groupType: room.groupType, bot: null });
    const { operator: services, zone } = telex;
    if (existing !== null) {
      const { groupId, groupType, name, ext, bot, avatar, createdAt } = existing;
      groups.push({ groupId, groupType, name, ext, bot, avatar, createdAt: zone.format(createdAt) });
    }
    if (existing === null)
      groups.push(await services.groups.add(operator, { ...room, members: members.map(({ id }) => id) }));
  }
  return groups;
}

async function ensureDevice(telex: Telex, userId: number): Promise<void> {
  const devices = await telex.teleprinter.devices(asUser(userId), {});
  if (devices.some((device) => device.deviceId === deviceId)) return;
  await telex.teleprinter.register(asUser(userId), { deviceId, name: "Demo printer 演示打印机" });
  await telex.teleprinter.send(asUser(userId), { deviceId, content: "你好! This text waited for you." });
}

async function ensureAccount({ auth, storage }: Running, { id, nickname }: UserView, role: "admin" | null) {
  const account = await storage.accounts.findAccount({ userId: id });
  if (account !== null) return;
  await auth.services.members.open({ user: id, username: `demo-${nickname}`, password: null, role });
}

/** A user with a new token and a new link. */
async function enterable({ telex, auth }: Running, { id, nickname }: UserView): Promise<DemoUser> {
  const { tokens } = telex.operator;
  const behind = (after?: number) => tokens.list(operator, { userId: id, after, limit: 1000 });
  for (let page = await behind(); page.length > 0; page = await behind(page.at(-1)?.id)) {
    const former = page.filter((token) => !token.revoked && token.scopes.toSorted().join() === scopes.join());
    for (const token of former) await tokens.revoke(operator, { token: String(token.id) });
  }
  const { token } = await tokens.issue(operator, { userId: id, scopes, name: "demo", life: tokenLife });
  const { url: link } = await auth.services.direct.make(id);
  return { id, nickname, token, link };
}
