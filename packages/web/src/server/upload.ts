import type { StoredFileView } from "@telex/core";
import { createClient } from "@telex/http/client";
import { type ServerOptions, tokenOf } from "./server.ts";

interface UploadOptions {
  /** Called with the uploaded fraction, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Stores a file on the server. Throws the errors of the server, and `AbortError` if it is cancelled. */
export type Upload = (file: File, options: UploadOptions) => Promise<StoredFileView>;

function responseOf(call: XMLHttpRequest): Response {
  const type = call.getResponseHeader("content-type") ?? "application/json";
  return new Response(call.responseText, { status: call.status, headers: { "content-type": type } });
}

/** Sends a request and reports upload progress, which `fetch` does not support. */
const sendWithProgress =
  ({ onProgress, signal }: UploadOptions) =>
  async (request: Request): Promise<Response> => {
    const body = await request.blob();
    return new Promise((resolve, reject) => {
      const call = new XMLHttpRequest();
      call.open(request.method, request.url);
      request.headers.forEach((value, name) => call.setRequestHeader(name, value));
      call.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
      call.addEventListener("load", () => resolve(responseOf(call)));
      call.addEventListener("error", () => reject(new TypeError("The connection was lost.")));
      call.addEventListener("abort", () => reject(new DOMException("The upload was cancelled.", "AbortError")));
      signal.addEventListener("abort", () => call.abort());
      if (signal.aborted) call.abort();
      call.send(body);
    });
  };

/** Uploads to the server of these pages. */
export const connectUploads =
  ({ origin, language, ended, ...credentials }: ServerOptions): Upload =>
  async (file, options) => {
    const send = sendWithProgress(options);
    const { bucket } = createClient({
      url: origin,
      ...tokenOf(credentials),
      language,
      async fetch(request) {
        const response = await send(request);
        if (response.status === 401) ended?.();
        return response;
      },
    });
    return await bucket.upload({ file });
  };
