import { TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import type { IncomingFile } from "@telex/core/transport";
import type { Exchange } from "../exchange/exchange.ts";
import { announcedSize, mediaType, refuseCoding } from "../exchange/source.ts";
import {
  type UploadLimits,
  type Upload,
  formOverhead,
  unnamed,
  tooLarge,
  missing,
  chunksOf,
  readForm,
} from "./form.ts";

/** The body itself as the file. */
async function readRaw(exchange: Exchange, limits: UploadLimits): Promise<Upload> {
  const chunks = chunksOf(exchange.body.open(), limits.fileSize, limits);
  const first = await chunks.next();
  if (first.done === true) throw missing();
  const bytes = (async function* () {
    yield first.value;
    yield* chunks;
  })();
  return {
    file: { name: unnamed, mime: mediaType(exchange), bytes },
    close: () => void chunks.return().catch(() => {}),
  };
}

/** An upload that is opened when its bytes are read, so that an earlier refusal costs nothing. */
function openLater(open: () => Promise<Upload>): Upload {
  let opened: Promise<Upload> | undefined;
  let known: Pick<IncomingFile, "name" | "mime"> = { name: unnamed, mime: "" };
  const bytes = async function* (): ByteStream {
    const { file } = await (opened = open());
    known = file;
    yield* file.bytes;
  };
  return {
    file: {
      get name() {
        return known.name;
      },
      get mime() {
        return known.mime;
      },
      bytes: bytes(),
    },
    close: () => void opened?.then((upload) => upload.close()).catch(() => {}),
  };
}

/**
 * An upload: a form with the field `file`, or, if `raw` allows it, the body itself. The server reads no part of it before the caller reads
 * its bytes.
 * @throws TelexError `unsupported_media`, `too_large`; the bytes of the file throw these, `timeout` and `invalid_request`
 */
export function readUpload(exchange: Exchange, limits: UploadLimits, raw: boolean): Upload {
  refuseCoding(exchange);
  const isForm = mediaType(exchange) === "multipart/form-data";
  if (!isForm && !raw) throw new TelexError("unsupported_media", { params: { expected: "multipart/form-data" } });
  const max = isForm ? limits.fileSize + formOverhead : limits.fileSize;
  if (announcedSize(exchange) > max) throw tooLarge(limits.fileSize);
  return openLater(() => (isForm ? readForm(exchange, limits) : readRaw(exchange, limits)));
}
