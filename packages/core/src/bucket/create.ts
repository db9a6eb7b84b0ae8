import { createAvatarsService } from "../avatars/service.ts";
import { createImagesService } from "../images/service.ts";
import type { CompleteOptions } from "../options/options.ts";
import type { Shared } from "../instance/shared.ts";
import { createFilesOperator } from "./operator.ts";
import type { IncomingFile } from "./contract.ts";
import { createBucketService, receiveFile } from "./service.ts";
import { createThumbnails, readFile } from "./thumbnails.ts";

/** Files, and the pictures that are made of them: as text and as avatars. */
export function createFiles(options: CompleteOptions, { people }: Pick<Shared, "people">) {
  const { storage, blobs, images, clock, limits, log, avatarSource } = options;
  const findFile = (md5: string) => storage.bucket.findFile(md5);
  const thumbnails = createThumbnails(blobs, images, limits.thumbnailSide);
  return {
    bucket: createBucketService({ store: storage.bucket, blobs, thumbnails, clock, limits, log }),
    receive: (groupId: number, file: IncomingFile) =>
      receiveFile({ store: storage.bucket, blobs, clock, limits, log }, groupId, file),
    operator: createFilesOperator({ store: storage.bucket, blobs, clock, limits }),
    images: createImagesService({ findFile, readFile: (file) => readFile(blobs, file), images, limits }),
    avatars: createAvatarsService({
      async findAvatar(kind, id) {
        const owner = await (kind === "personal" ? storage.users.findUser(id) : storage.groups.findGroup(id));
        const md5 = owner?.avatar ?? null;
        // One that was taken out of service may still be kept as a picture.
        return md5 !== null && (await findFile(md5)) !== null ? md5 : null;
      },
      async readFile(md5) {
        const file = await findFile(md5);
        return file === null ? null : readFile(blobs, file);
      },
      images,
      extOf: (userId) => people.extOf(userId),
      source: avatarSource,
      clock,
      limits,
      log,
    }),
    keepImage: async (md5: string) => ((await findFile(md5))?.ext ?? "") !== "" && storage.bucket.keepFile(md5),
  };
}
