import type { Client } from "@telex/http/client";
import { print, printJson, printRows } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import type { Server } from "./server.ts";
import { withClient } from "./with-client.ts";

type Bucket = Client["bucket"];

/** The files to list. */
export interface Search {
  readonly query?: string;
  readonly kind?: NonNullable<Parameters<Bucket["files"]>[0]>["kind"];
  readonly limit: number;
}

type OwnFile = Awaited<ReturnType<Bucket["files"]>>["list"][number];

/** The files that match, newest first, at most `limit`: a page of a search may be empty. */
async function findFiles({ files }: Bucket, { limit, ...search }: Search): Promise<readonly OwnFile[]> {
  const matches: OwnFile[] = [];
  let cursor: string | null = null;
  do {
    const pageSize = Math.min(100, limit - matches.length);
    const page: Awaited<ReturnType<Bucket["files"]>> = await files({
      ...search,
      pageSize,
      ...(cursor !== null && { cursor }),
    });
    matches.push(...page.list);
    cursor = page.nextCursor;
  } while (cursor !== null && matches.length < limit);
  return matches;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Prints one's own files. */
export async function listFiles(server: Server, json: boolean, search: Search): Promise<void> {
  const list = await withClient(server, async ({ bucket }) => await findFiles(bucket, search));
  if (json) return printJson(list);
  printRows(list, {
    file_id: ({ file_id }) => file_id,
    name: ({ name }) => name,
    kind: ({ kind }) => kind,
    bytes: ({ size }) => size,
    uploaded: ({ createTime }) => timeOf(createTime),
    used: ({ used }) => used,
  });
}

/** Prints the messages that use a file, in one's own rooms: those of the first page. */
export async function listUses(server: Server, json: boolean, md5: string): Promise<void> {
  const { list } = await withClient(server, async ({ messages }) => await messages.uses({ md5, pageSize: 100 }));
  if (json) return printJson(list);
  printRows(list, {
    group: ({ groupId }) => groupId,
    name: ({ groupName }) => groupName,
    message: ({ messageId }) => messageId,
    from: ({ nickname }) => nickname,
    sent: ({ createTime }) => timeOf(createTime),
  });
}

/** How a change is reported. */
export interface Report {
  readonly json: boolean;
  readonly talk: Talk;
}

export async function removeFile(server: Server, { json, talk }: Report, md5: string): Promise<void> {
  await withClient(server, async ({ bucket }) => await bucket.deleteFile({ md5 }));
  if (json) printJson(null);
  else talk.done("The file and its links are gone. Messages that use it keep it.");
}

/** @param life milliseconds */
export async function shareFile(server: Server, { json, talk }: Report, md5: string, life: number): Promise<void> {
  const link = await withClient(server, async ({ bucket }) => await bucket.shareFile({ md5, life: life / 1000 }));
  const url = server.url + link.url;
  if (json) return printJson({ ...link, url });
  print(url);
  const readers = link.public ? "Anyone" : "Anyone with a token of this server";
  talk.note(`${readers} can download it until ${timeOf(link.expireTime)}. This address is shown only once.`);
}

/** Prints one's links that can be opened. */
export async function listLinks(server: Server, json: boolean): Promise<void> {
  const list = await withClient(server, async ({ bucket }) => await bucket.links({}));
  if (json) return printJson(list);
  printRows(list, {
    id: ({ id }) => id,
    name: ({ name }) => name,
    file_id: ({ file_id }) => file_id,
    until: ({ expireTime }) => timeOf(expireTime),
  });
}

export async function revokeLink(server: Server, { json, talk }: Report, id: string): Promise<void> {
  await withClient(server, async ({ bucket }) => await bucket.revokeLink({ id }));
  if (json) printJson(null);
  else talk.done("The link has ended.");
}
