import type { MessageView } from "@telex/core";
import { messagesContract } from "@telex/core/contract";
import { wordOf } from "../drivers/rooms.ts";
import { at, parse } from "test-support/json";
import type { Life } from "../support/life.ts";
import { valueOf } from "../support/api.ts";
import { md5Of } from "../support/files.ts";
import { paths } from "../support/paths.ts";
import type { Check, Room, World } from "../world.ts";

const page = messagesContract.history.output;

/** A page of the history, newest first. */
async function readPage(life: Life, { groupId, groupType }: Room, cursor: string | null, pageSize: number) {
  const fields = { groupId, groupType, pageSize, ...(cursor !== null && { cursor }) };
  return valueOf(await life.apis.bob.get(paths.history, fields, page), "history");
}

/** The messages of a room above an id, oldest first. */
async function listMessages(life: Life, room: Room, above: number): Promise<MessageView[]> {
  const messages: MessageView[] = [];
  let cursor: string | null = null;
  do {
    const { groupMessages, nextPageCursor }: Awaited<ReturnType<typeof readPage>> = await readPage(
      life,
      room,
      cursor,
      100,
    );
    messages.push(...groupMessages.filter(({ messageId }) => messageId > above));
    cursor = groupMessages.some(({ messageId }) => messageId <= above) ? null : nextPageCursor;
  } while (cursor !== null);
  return messages.toReversed();
}

/** The download paths of the files of a message, and the MD5 of each. */
function filesOf({ content }: MessageView): { readonly path: string; readonly md5: string }[] {
  const segments = parse(content);
  return (Array.isArray(segments) ? segments : []).flatMap((segment: unknown) => {
    const image = at(segment, "image", "file");
    const relativePath = at(segment, "file", "relativePath");
    if (typeof image === "string") return [{ path: `/download/${image}`, md5: image.replace(/\..*$/, "") }];
    if (typeof relativePath !== "string") return [];
    const [, name = ""] = relativePath.split("/");
    const encoded = Buffer.from(relativePath).toString("base64url");
    return [{ path: `/downloadFile/${encoded}/local/${name}`, md5: name.replace(/\..*$/, "") }];
  });
}

async function checkFiles(world: World, life: Life, messages: readonly MessageView[]): Promise<void> {
  for (const { path, md5 } of messages.flatMap(filesOf)) {
    const bytes = valueOf(await life.anybody.download(path), path);
    if (bytes === null || md5Of(bytes) !== md5)
      world.problems.push(`download: ${path} is ${bytes?.length} other bytes`);
  }
}

async function checkRoom(world: World, life: Life, room: Room, full: boolean): Promise<void> {
  const { texts } = room;
  const messages = await listMessages(life, room, full ? 0 : texts.newest);
  const listed = messages.map((message) => ({ id: message.messageId, word: wordOf(message) }));
  const fresh = messages.filter(({ messageId }) => messageId > texts.newest);
  world.problems.push(...texts.observe(listed.filter(({ id }) => id > texts.newest)));
  if (full) world.problems.push(...texts.compare(listed));
  // Pages of one message: their number equals the number of messages, so no position is missing or used twice.
  const { totalPage, currentPage } = await readPage(life, room, null, 1);
  if (totalPage !== Math.max(1, texts.stored.size) || currentPage !== 1) {
    world.problems.push(`${texts.name}: page ${currentPage} of ${totalPage}, and ${texts.stored.size} are stored`);
  }
  await checkFiles(world, life, full ? messages.slice(-200) : fresh);
}

/** The history has every message once, without gaps, and every file in it is complete. */
export const checkRooms: Check = async (world, life, full) => {
  for (const room of world.rooms) await checkRoom(world, life, room, full);
};

/** At the end, readers that resume with `since` have received all messages after their first one. */
export function checkReaders({ rooms, problems }: World): void {
  for (const { texts, read, from } of rooms) {
    const missed = [...texts.stored].filter(([id, word]) => id > from && read.get(id) !== word);
    problems.push(...missed.map(([id, word]) => `${texts.name}: ${id} "${word}" was not read by who reads on`));
  }
}
