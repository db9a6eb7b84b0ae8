import type { FileRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of files and codes. */
export const brokenFiles: readonly BrokenStorage[] = [
  {
    fault: "a code is looked at first and spent later",
    found: ["bucket codes: of 20 uploads with one code exactly one succeeds"],
    spoil: override("bucket", (store) => ({
      async putFile(put) {
        const code = put.code === null ? null : await store.findCode(put.code.digest);
        if (code?.used === true) return { outcome: "code_used" };
        await meanwhile();
        const stored = await store.putFile({ ...put, code: null });
        await store.putFile(put);
        return stored;
      },
    })),
  },
  {
    fault: "a failed upload spends the code",
    found: ["bucket codes: a conflict leaves the code usable"],
    spoil: override("bucket", (store) => ({
      async putFile(put) {
        const stored = await store.putFile(put);
        const known = await store.findFile(put.file.md5);
        if (stored.outcome === "conflict" && known !== null) await store.putFile({ ...put, file: known });
        return stored;
      },
    })),
  },
  {
    fault: "the second bytes of a file are kept",
    found: ["bucket: the same file again keeps its first record"],
    spoil: override("bucket", (store) => ({
      async putFile(put) {
        const known = await store.findFile(put.file.md5);
        if (known?.sha256 === put.file.sha256) await store.takeFile(put.file.md5);
        const stored = await store.putFile(put);
        return known !== null && stored.outcome === "stored" ? { ...stored, outcome: "known" } : stored;
      },
    })),
  },
  {
    fault: "a forged MD5 goes unnoticed",
    found: ["bucket: other bytes with the same MD5 are a conflict, and change nothing"],
    spoil: override("bucket", (store) => ({
      async putFile(put) {
        const known = await store.findFile(put.file.md5);
        return store.putFile({ ...put, file: known ?? put.file });
      },
    })),
  },
  {
    fault: "a page of files begins with the file that it should come after",
    found: ["bucket: files are listed by MD5, from any one on"],
    spoil: override("bucket", (store) => ({
      async listFiles({ after, limit }) {
        const files = await store.listFiles({ after: "", limit: Number.MAX_SAFE_INTEGER });
        return files.filter(({ md5 }) => md5 >= after).slice(0, limit);
      },
    })),
  },
  {
    fault: "everybody may use every file",
    found: ["bucket: a file is of use to those who uploaded it"],
    spoil: override("bucket", (store) => ({
      async findUploads(_userId, md5s) {
        const files = await Promise.all(md5s.map((md5) => store.findFile(md5)));
        return files.flatMap((file) => (file === null ? [] : { ...file, name: "", kind: "", uploadedAt: 0 }));
      },
    })),
  },
  {
    fault: "a page of uploads begins with the last file of the page before",
    found: ["bucket: the uploads of a user are listed in pages, the newest first"],
    spoil: override("bucket", (store) => ({
      listUploads: (page) =>
        store.listUploads({ ...page, after: page.after && { ...page.after, uploadedAt: page.after.uploadedAt + 1 } }),
    })),
  },
  {
    fault: "everybody sees the uploads of everybody",
    found: ["bucket: the uploads of a user are listed in pages, the newest first"],
    spoil: override("bucket", (store) => ({
      async listUploads(page) {
        const [own, others] = [await store.listUploads(page), await store.listUploads({ ...page, userId: 8 })];
        return [...others, ...own].slice(0, page.limit);
      },
    })),
  },
  {
    fault: "taking an upload also takes its file, whoever uses it",
    found: ["own files: a file stays while another user, a code, a message or a lasting use has it"],
    spoil: override("bucket", (store) => ({
      async takeUpload(upload) {
        const taken = await store.takeUpload(upload);
        const file = taken.outcome === "kept" ? await store.takeFile(upload.md5) : null;
        return file === null ? taken : { outcome: "dropped", file };
      },
    })),
  },
  {
    fault: "a user looks first whether the upload is there, and takes it later",
    found: ["own files: of 10 that take one upload simultaneously exactly one gets it"],
    spoil: override("bucket", (store) => ({
      async takeUpload(upload) {
        const [file] = await store.findUploads(upload.userId, [upload.md5]);
        await meanwhile();
        const taken = await store.takeUpload(upload);
        return file === undefined || taken.outcome !== "missing" ? taken : { outcome: "dropped", file };
      },
    })),
  },
  {
    fault: "a file is held for everybody",
    found: ["own files: a file that is held expires later, used or not"],
    spoil: override("bucket", (store) => ({ holdUpload: (upload) => store.holdUpload({ ...upload, userId: 7 }) })),
  },
  {
    fault: "the uses in all rooms are listed",
    found: ["messages with a file: the messages of some rooms that use a file are listed by room and place"],
    spoil: override("messages", (store) => ({
      listUsing: (page) => store.listUsing({ ...page, groupIds: [...page.groupIds, 13] }),
    })),
  },
  {
    fault: "the last lifetime of a file wins",
    found: ["bucket expiry: of several lifetimes of the same file the longest wins"],
    spoil: override("bucket", (store) => {
      const untils = new Map<string, number>();
      return {
        putFile(put) {
          untils.set(put.file.md5, put.unusedUntil);
          return store.putFile(put);
        },
        async takeExpiredFiles(expiry) {
          const due = [...untils].filter(([, until]) => until < expiry.now).map(([md5]) => md5);
          const taken = await Promise.all(due.map((md5) => store.takeFile(md5)));
          return taken.filter((file) => file !== null);
        },
      };
    }),
  },
  {
    fault: "the bytes of a share are summed first and reserved later",
    found: ["upload shares: of 20 callers for the last bytes only as many get them as fit"],
    spoil: override("bucket", (store) => ({
      async reserveUpload(share, limit) {
        const fits = await store.reserveUpload(share, limit);
        if (fits.outcome === "used_up") return fits;
        await store.releaseUpload(share);
        await meanwhile();
        return store.reserveUpload(share, { ...limit, max: Number.MAX_SAFE_INTEGER });
      },
    })),
  },
  {
    fault: "released bytes are looked up first and written later",
    found: ["upload shares: bytes that 10 callers release simultaneously are free once"],
    spoil: override("bucket", (store) => {
      let releasing: Promise<void> | null = null;
      return {
        async releaseUpload(share) {
          releasing ??= meanwhile().then(() => store.releaseUpload(share));
          await releasing;
          releasing = null;
        },
      };
    }),
  },
  {
    fault: "a stored file keeps all that was reserved",
    found: [
      "upload shares: a stored file releases what it did not use, also where it was known, and a refused one releases nothing",
    ],
    spoil: override("bucket", (store) => ({ putFile: (put) => store.putFile({ ...put, reserved: null }) })),
  },
  {
    fault: "bytes count forever",
    found: ["upload shares: bytes of different times count together, and each only until its own"],
    spoil: override("bucket", (store) => ({
      reserveUpload: (share, limit) => store.reserveUpload(share, { ...limit, now: 0 }),
    })),
  },
  {
    fault: "all uploaders have one share",
    found: ["upload shares: every uploader has a share of its own"],
    spoil: override("bucket", (store) => ({
      reserveUpload: (share, limit) => store.reserveUpload({ ...share, uploader: 7 }, limit),
    })),
  },
  {
    fault: "simultaneous sweeps get the same files",
    found: ["bucket expiry: of 10 simultaneous sweeps each file is taken by one"],
    spoil: override("bucket", (store) => {
      let running: Promise<readonly FileRecord[]> | null = null;
      return {
        async takeExpiredFiles(expiry) {
          running ??= meanwhile().then(() => store.takeExpiredFiles(expiry));
          const taken = await running;
          running = null;
          return taken;
        },
      };
    }),
  },
  {
    fault: "an attachment is kept without its file",
    found: ["messages with files: an attachment may be kept before its message, and goes with its file"],
    spoil: override("bucket", () => ({ putAttachment: () => Promise.resolve(true) })),
  },
  {
    fault: "a swept file leaves its attachments behind",
    found: ["bucket expiry: an image is taken after its last use, with its attachments"],
    spoil: (storage) => {
      const attachments = new Map<string, { relativePath: string; md5: string; name: string }>();
      const { bucket, messages } = storage;
      return {
        ...storage,
        bucket: { ...bucket, findAttachment: (path) => Promise.resolve(attachments.get(path) ?? null) },
        messages: {
          ...messages,
          append(append) {
            for (const attachment of append.attachments) attachments.set(attachment.relativePath, attachment);
            return messages.append(append);
          },
        },
      };
    },
  },
  {
    fault: "a message of missing files marks those that are there",
    found: ["messages with files: a missing file stores nothing: no message, no use, no attachment, no nonce"],
    spoil: override("messages", (store, { bucket }) => ({
      async append(append) {
        const appended = await store.append(append);
        if (appended.outcome === "file_missing") await bucket.keepFile(append.files[0] ?? "");
        return appended;
      },
    })),
  },
  {
    fault: "a message does not mark its files",
    found: [
      "messages with files: a message marks its files as used, and keeps its attachments",
      "bucket expiry: a used file that is not an image is kept permanently",
    ],
    spoil: override("messages", (store) => ({ append: (append) => store.append({ ...append, files: [] }) })),
  },
];
