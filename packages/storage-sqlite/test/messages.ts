import type { DeviceAppend, DeviceKey, FilePut, MessageAppend } from "@telex/core/storage";

/** A device. */
export const printer: DeviceKey = { deviceId: "printer", owner: 7 };

/** A message of a room with this content. */
export const roomMessage = (groupId: number, content: string, nonce: string | null = null): MessageAppend => ({
  message: {
    groupId,
    userId: "7",
    external: false,
    type: 0,
    content,
    pinyin: content,
    nickname: "Ada",
    nicknamePinyin: "Ada",
    createTime: 1000,
    receiveTime: 1000,
    botMessageId: null,
    notice: null,
  },
  nonce: nonce === null ? null : { value: nonce, fingerprint: content, life: 60_000 },
  files: [],
  attachments: [],
  network: null,
  sent: null,
});

/** A text to {@link printer}. */
export const deviceText = (content: string): DeviceAppend => ({
  ...printer,
  direction: "to_device",
  content,
  now: 1000,
  nonce: null,
  nonceLife: 60_000,
  queueLimit: 100_000,
});

/** An upload with the code and the file of these names. */
export const uploadOf = (word: string): FilePut => ({
  file: { md5: word, sha256: word, size: 1, mime: "application/zip", ext: "", blobId: word },
  now: 1000,
  unusedUntil: 1000,
  uploader: null,
  name: "",
  kind: "archive",
  code: { digest: word, storageId: "s" },
  reserved: null,
});
