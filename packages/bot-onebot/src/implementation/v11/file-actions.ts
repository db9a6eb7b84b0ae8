import { shortText } from "@telex/core/contract";
import { z } from "zod";
import { longText, filledText } from "../../wire/fields.ts";
import type { Segment } from "../../wire/frames.ts";
import { action, type Run } from "../actions/action.ts";
import { enterGroup, findPrivate, send } from "../actions/send.ts";
import type { Acting } from "../context.ts";
import { findFile, uploadBytes, uploadFrom, uploadIdOf } from "../files.ts";
import { ActionError } from "../results.ts";
import type { BookedRoom } from "../rooms/room-book.ts";
import { id11 } from "./fields.ts";

export const group = z.object({ group_id: id11 });

export const user = z.object({ user_id: id11 });

const file = z.object({ file: longText.optional(), file_id: longText.optional() });

const upload = z.object({ file: filledText, name: shortText(512, 1) });

async function sendTo(actor: Acting, room: BookedRoom, segments: readonly Segment[]): Promise<object> {
  return { message_id: (await send(actor, room, segments)).messageId };
}

export const toGroup = async (actor: Acting, groupId: number, segments: readonly Segment[]): Promise<object> =>
  sendTo(actor, await enterGroup(actor, groupId), segments);

export const toUser = async (actor: Acting, userId: number, segments: readonly Segment[]): Promise<object> =>
  sendTo(actor, await findPrivate(actor, userId), segments);

/** Two schemas that both read the parameters. */
export const both = <A extends z.ZodType, B extends z.ZodType>(first: A, second: B) =>
  z.unknown().transform((given, context): [z.output<A>, z.output<B>] => {
    const [a, b] = [first.safeParse(given), second.safeParse(given)];
    for (const { error } of [a, b])
      for (const { message: problem, path } of error?.issues ?? [])
        context.addIssue({ code: "custom", message: problem, path });
    return a.success && b.success ? [a.data, b.data] : z.NEVER;
  });

const fileSegment = ({ file: source, name }: z.output<typeof upload>): Segment => ({
  type: "file",
  data: { file: source, name },
});

/** A file for Telex to download: an address, or bytes as base64 or as a `data:` address. */
const download = z.object({
  url: longText.optional(),
  base64: longText.optional(),
  name: shortText(512).default(""),
});

/** Stores it as an upload of the account. The answer is its ID, where other implementations return a path. */
async function downloadFile(actor: Acting, { url = "", base64, name }: z.output<typeof download>): Promise<object> {
  const data = base64 ?? /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (data !== undefined) return { file: uploadIdOf(await uploadBytes(actor, name, data), name) };
  if (!/^https?:\/\//.test(url))
    throw new ActionError("bad_param", "url: an address with http:// or https:// is needed.");
  return { file: uploadIdOf(await uploadFrom(actor, name, url), name) };
}

async function fileInfo(actor: Acting, params: z.output<typeof file>): Promise<object> {
  const id = params.file_id ?? params.file ?? "";
  const { file: found, url } = await findFile(actor, id);
  return { file: id, url, file_size: String(found.size), file_name: found.name };
}

export const files: Readonly<Record<string, Run>> = {
  get_image: action(file, fileInfo),
  get_file: action(file, fileInfo),
  get_group_file_url: action(group.extend({ file_id: shortText(2500) }), async (actor, { group_id, file_id }) => {
    await enterGroup(actor, group_id);
    return { url: (await findFile(actor, file_id)).url };
  }),
  download_file: action(download, downloadFile),
  upload_group_file: action(both(group, upload), async (actor, [{ group_id }, given]) => {
    await toGroup(actor, group_id, [fileSegment(given)]);
    return null;
  }),
  upload_private_file: action(both(user, upload), async (actor, [{ user_id }, given]) => {
    await toUser(actor, user_id, [fileSegment(given)]);
    return null;
  }),
};
