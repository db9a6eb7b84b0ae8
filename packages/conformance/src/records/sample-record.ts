import { newDevice, newGroup, newMember, newText, type Records } from "@telex/core/storage";
import { digitsOf, now, person, texts } from "../support/fixtures.ts";

/** @param different the fields that are not as usual */
export const account = (userId: number, different: Partial<Records["accounts"]> = {}): Records["accounts"] => ({
  userId,
  username: `Ada${userId}`,
  usernameKey: `ada${userId}`,
  passwordHash: null,
  role: null,
  showRead: true,
  notify: "all",
  seen: [],
  blocked: [],
  prompts: "[]",
  recovery: null,
  createdAt: now,
  removedAt: null,
  rev: 1,
  ...different,
});

/** @param different the fields that are not as usual */
export const user = (userId: number, different: Partial<Records["users"]> = {}): Records["users"] => ({
  userId,
  ...person({ nickname: `Ada ${userId}`, createdAt: now + userId }),
  ...different,
});

/** @param different the fields that are not as usual */
export const device = (deviceId: string, different: Partial<Records["devices"]> = {}): Records["devices"] => ({
  deviceId,
  name: `Printer ${deviceId}`,
  owner: 3,
  createdAt: now,
  lastSeen: now + 5,
  away: false,
  ...newDevice,
  ...different,
});

/** @param different the fields that are not as usual */
export const deviceMessage = (
  deviceId: string,
  id: number,
  different: Partial<Records["deviceMessages"]> = {},
): Records["deviceMessages"] => ({
  deviceId,
  id,
  direction: "to_device",
  content: texts[id % texts.length] ?? "",
  delivered: false,
  createdAt: now + id,
  room: false,
  ...newText,
  ...different,
});

/** @param different the fields that are not as usual */
export const message = (
  groupId: number,
  seq: number,
  id: number,
  different: Partial<Records["messages"]> = {},
): Records["messages"] => ({
  groupId,
  seq,
  id,
  userId: "3",
  external: false,
  type: 0,
  content: texts[id % texts.length] ?? "",
  pinyin: "nǐ hǎo",
  nickname: "阿达",
  nicknamePinyin: "ā dá",
  createTime: now + id,
  receiveTime: now + id + 1,
  botMessageId: null,
  notice: null,
  mentions: null,
  extras: null,
  changed: 0,
  ...different,
});

/** @param different the fields that are not as usual */
export const file = (number: number, different: Partial<Records["files"]> = {}): Records["files"] => ({
  md5: digitsOf(number, 32),
  sha256: digitsOf(number, 64),
  size: 1000 + number,
  mime: "image/png",
  ext: "png",
  blobId: digitsOf(number + 100, 32),
  createdAt: now,
  usedAt: null,
  unusedUntil: now + 7,
  ...different,
});

/** @param different the fields that are not as usual */
export const group = (groupId: number, different: Partial<Records["groups"]> = {}): Records["groups"] => ({
  groupId,
  ...newGroup({ groupType: 1, name: "茶馆", ext: null, bot: null, avatar: null, createdAt: now }),
  ...different,
});

/** @param different the fields that are not as usual */
export const member = (
  groupId: number,
  userId: number,
  different: Partial<Records["members"]> = {},
): Records["members"] => ({ groupId, ...newMember(userId, 0), ...different });

/** The id of a file. */
export const md5 = (number: number): string => digitsOf(number, 32);
