import type { ToGatewayFile } from "../networks/sending.ts";
import type { CompleteOptions } from "./options/options.ts";
import { type BlobStore, downloadPath, filePath } from "@telex/files/blobs";
import { openBlob, type BucketStore } from "@telex/files";

interface GatewayFileDeps {
  readonly blobs: BlobStore;
  readonly store: Pick<BucketStore, "putAttachment">;
  /** The address of the installation; null if networks can download nothing there. */
  readonly baseUrl: string | null;
}

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

/** The files that gateways get: with an address if downloads need no token. */
export const gatewayFilesOf = ({ storage, blobs, access, baseUrl }: CompleteOptions): ToGatewayFile =>
  createGatewayFiles({ blobs, store: storage.bucket, baseUrl: access.downloads === "public" ? baseUrl : null });
