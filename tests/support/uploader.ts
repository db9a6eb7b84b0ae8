import { expect } from "vitest";
import { textAt } from "./json.ts";

/** Uploads one file after the other until it is stopped, and keeps the ids of acknowledged files. */
export function createUploader(url: string, token: string, fileOf: (number: number) => File) {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const upload = async (number: number): Promise<void> => {
    const body = new FormData();
    body.set("file", fileOf(number));
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/external/api/v1/bucket/upload`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    acknowledged.push(textAt(await response.json(), "data", "file_id"));
  };
  const running = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) await upload(number);
  })();
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
