import { anonymous } from "@telex/ground/contract";
import {
  createAvatarsService,
  createImagesService,
  createFilesOperator,
  createBucketService,
  receiveFile,
  createQuotedFiles,
  createThumbnails,
  readFile,
} from "@telex/files";
import type { CompleteOptions } from "./options/options.ts";
import type { Shared } from "./shared.ts";
import type { IncomingFile } from "@telex/files/blobs";

type FindFile = CompleteOptions["storage"]["bucket"]["findFile"];

const createAvatars = (
  { storage: { users, groups }, blobs, images, clock, limits, log, avatarSource: source }: CompleteOptions,
  { people }: Pick<Shared, "people">,
  findFile: FindFile,
) =>
  createAvatarsService({
    images,
    clock,
    limits,
    log,
    source,
    async findAvatar(kind, id) {
      const owner = await (kind === "personal" ? users.findUser(id) : groups.findGroup(id));
      const md5 = owner?.avatar ?? null;
      // One that was taken out of service may still be kept as a picture.
      return md5 !== null && (await findFile(md5)) !== null ? md5 : null;
    },
    async readFile(md5) {
      const file = await findFile(md5);
      return file === null ? null : readFile(blobs, file);
    },
    extOf: (userId) => people.extOf(userId),
  });

/** Finds Chinese by its pinyin and initials. */
const findSpelled =
  ({ search }: Pick<Shared, "search">) =>
  (text: string) => {
    const words = search.words(text);
    return (name: string) => search.excerpt(name, words);
  };

/** Files, and the pictures that are made of them: as text and as avatars. */
export function createFiles(options: CompleteOptions, shared: Pick<Shared, "people" | "search">) {
  const { storage, blobs, images, clock, zone, limits, log } = options;
  const store = storage.bucket;
  const storing = { store, blobs, clock, limits, log };
  const findFile: FindFile = (md5) => storage.bucket.findFile(md5);
  const readImage = (file: Parameters<typeof readFile>[1]) => readFile(blobs, file);
  const small = (file: Parameters<typeof readFile>[1]) => images.jpeg(() => readImage(file), { size: 512 });
  const imagesService = createImagesService({ findFile, readFile: readImage, images, limits });
  const thumbnails = createThumbnails(blobs, images, limits.thumbnailSide);
  return {
    bucket: createBucketService({
      store,
      blobs,
      clock,
      limits,
      log,
      thumbnails,
      findSpelled: findSpelled(shared),
      links: storage.accounts,
      arePublic: options.access.downloads === "public",
      isActive: async (userId) => (await storage.users.findUser(userId))?.suspended === false,
    }),
    receive: (groupId: number, file: IncomingFile) => receiveFile(storing, groupId, file),
    operator: createFilesOperator({ store, blobs, clock, limits, zone }),
    images: imagesService,
    quoted: createQuotedFiles({ store, blobs, small }),
    /** @throws TelexError `file_not_found`, `unreadable_image`, `busy` */
    pictureText: async (md5: string, columns: number): Promise<string> => {
      const { text } = await imagesService.imageText(anonymous, { file_id: md5, col: columns, algo: "gray" }, {});
      return text;
    },
    /** A picture of at most 512 pixels as a `data:` address, or null. @throws TelexError `file_not_found`, `unreadable_image`, `busy` */
    pictureData: async (md5: string): Promise<string | null> => {
      const file = await findFile(md5);
      if (file === null) return null;
      const jpeg = await small(file);
      return `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}`;
    },
    avatars: createAvatars(options, shared, findFile),
    keepImage: async (md5: string): Promise<boolean> => {
      const file = await findFile(md5);
      if (file === null || file.ext === "") return false;
      // The first bytes only announce a picture.
      await images.jpeg(() => readImage(file), { size: 1 });
      return storage.bucket.keepFile(md5);
    },
  };
}
