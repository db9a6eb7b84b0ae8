import { contracts } from "@telex/core/contract";
import { type Api, createApi } from "../crash/support/api.ts";
import { makeBytes, md5Of } from "../crash/support/files.ts";
import { paths } from "../crash/support/paths.ts";
import type { Person } from "./ground.ts";
import { count, insist, retryPause, pause, type Run } from "./run.ts";

/** The download path of a file for its owner. */
const pathOf = (md5: string): string => `/api/file/${md5}`;

function checkBytes({ problems }: Run, md5: string, bytes: Uint8Array | null): void {
  if (bytes === null) problems.push(`file ${md5} is gone`);
  else if (md5Of(bytes) !== md5) problems.push(`file ${md5} has other bytes`);
}

/** Uploads files, and downloads each of them over other connections. */
export async function storeFiles(run: Run, who: Person): Promise<void> {
  const api = createApi(run.url, who.token);
  while (!run.isOver) {
    const bytes = makeBytes(run.random, run.random.chance(0.5));
    const { file_id: md5 } = await insist(run, "upload", () =>
      api.upload(paths.upload, bytes, contracts.bucket.upload.output),
    );
    if (md5 !== md5Of(bytes)) run.problems.push(`file ${md5Of(bytes)} was answered with ${md5}`);
    run.files.push(md5);
    for (let got = 0; got < 3 && !run.isOver;) {
      const outcome = await api.download(pathOf(md5));
      count(run, "download", outcome.kind === "done");
      if (outcome.kind === "done") {
        checkBytes(run, md5, outcome.value);
        got += 1;
      } else await retryPause();
    }
    await pause(run, 500);
  }
}

/** Every confirmed file must be complete on this server. */
export async function checkFiles(run: Run, api: Api): Promise<void> {
  for (const md5 of run.files) {
    const outcome = await api.download(pathOf(md5));
    if (outcome.kind === "done") checkBytes(run, md5, outcome.value);
    else run.problems.push(`file ${md5}: ${JSON.stringify(outcome)}`);
  }
}
