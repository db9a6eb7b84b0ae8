import type { CompleteOptions } from "../instance/options.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { downloadPath, filePath } from "../blobs/names.ts";
import { openBlob } from "../bucket/service.ts";
import type { BucketStore } from "../bucket/store.ts";
import type { AttachmentRecord, FileRecord } from "../records/bucket.ts";
import type { GatewayFile } from "./gateway.ts";

/** What files on their way to networks need. */
interface GatewayFileDeps {
  readonly blobs: BlobStore;
  readonly store: Pick<BucketStore, "putAttachment">;
  /** The address of the installation; null if networks can download nothing there. */
  readonly baseUrl: string | null;
}

/**
 * A file as a gateway sees it.
 * @param attachment what the message will carry; null for an image, which has an address of its own
 */
export type ToGatewayFile = (file: FileRecord, name: string, attachment: AttachmentRecord | null) => GatewayFile;

const createGatewayFiles =
  ({ blobs, store, baseUrl }: GatewayFileDeps): ToGatewayFile =>
  (file, name, attachment) => ({
    name,
    mime: file.mime,
    size: file.size,
    md5: file.md5,
    open: () => openBlob(blobs, file.blobId),
    async url() {
      if (baseUrl === null) return null;
      if (attachment === null) return baseUrl + downloadPath(file);
      // The network fetches it before the message is stored.
      return (await store.putAttachment(attachment)) ? baseUrl + filePath(attachment) : null;
    },
  });

/** How files are shown to gateways: with an address if anyone may download. */
export const gatewayFilesOf = ({ storage, blobs, access, baseUrl }: CompleteOptions): ToGatewayFile =>
  createGatewayFiles({ blobs, store: storage.bucket, baseUrl: access.downloads === "public" ? baseUrl : null });
