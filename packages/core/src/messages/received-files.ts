import type { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import { filePath } from "@telex/files/blobs";
import type { BucketStore } from "@telex/files";
import type { MessagesContract } from "./contract.ts";
import type { MessageStore } from "./store.ts";

export interface MessageFilesDeps {
  readonly store: Pick<MessageStore, "findMessage" | "listFiles">;
  readonly bucket: Pick<BucketStore, "findAttachment" | "findFile">;
}

type FileViews = z.output<MessagesContract["files"]["output"]>;

async function findView(bucket: MessageFilesDeps["bucket"], path: string): Promise<FileViews[number] | null> {
  const attachment = await bucket.findAttachment(path);
  const file = attachment === null ? null : await bucket.findFile(attachment.md5);
  if (attachment === null || file === null) return null;
  return { name: attachment.name, url: filePath(attachment), size: file.size };
}

/** The files of a message that can be downloaded, in their order in the message. One that is gone is left out. */
export async function listFiles(
  { store, bucket }: MessageFilesDeps,
  groupId: number,
  messageId: number,
): Promise<FileViews> {
  if ((await store.findMessage(groupId, messageId)) === null)
    throw new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
  const views: FileViews = [];
  for (const path of await store.listFiles(groupId, messageId)) {
    const view = await findView(bucket, path);
    if (view !== null) views.push(view);
  }
  return views;
}
