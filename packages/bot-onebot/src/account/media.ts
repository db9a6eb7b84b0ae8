import type { OpenMedia } from "../gateway-types.ts";
import type { MediaSource, Open } from "../wire/dialect.ts";
import type { Ask } from "../wire/frames.ts";

/** Fetches an address of the network. Must refuse addresses within the network of the server. */
export type FetchMedia = (url: string, signal: AbortSignal) => ReturnType<OpenMedia>;

interface MediaDeps {
  readonly ask: Ask;
  readonly fetchMedia: FetchMedia;
  /** The address in an answer, or null. */
  readonly readUrl: (data: unknown) => string | null;
}

const base64 = "base64://";

async function* readBase64(text: string): ReturnType<OpenMedia> extends Promise<infer Stream> ? Stream : never {
  yield Buffer.from(text, "base64");
}

/** How the pictures and files of an account are opened. */
export function createOpen({ ask, fetchMedia, readUrl }: MediaDeps): Open {
  const find = async ({ find: action }: MediaSource, signal: AbortSignal): Promise<string> => {
    const answer = action === null ? null : await ask(action, signal);
    const url = answer?.outcome === "ok" ? readUrl(answer.data) : null;
    if (url === null) throw new Error("The implementation does not say where the file is.");
    return url;
  };
  return (source) => {
    if (source.url === null && source.find === null) return undefined;
    return async (signal) => {
      const url = source.url ?? (await find(source, signal));
      return url.startsWith(base64) ? readBase64(url.slice(base64.length)) : fetchMedia(url, signal);
    };
  };
}
