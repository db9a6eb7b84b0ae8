import { styleText } from "node:util";
import type { MessageView } from "@telex/core";
import type { Client } from "@telex/http/client";
import type { Server } from "./server.ts";
import { print, printable, printJson } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { contentLines } from "./segments.ts";
import { withClient } from "./with-client.ts";

export interface RoomSearch {
  readonly words: string;
  /** Default: all rooms of the user. */
  readonly groupId: string | undefined;
  /** Maximum hits, 1 to 100. */
  readonly last: number;
  readonly json: boolean;
  readonly talk: Talk;
}

/** A page of hits, and the position of the next one; null at the end. */
interface Page<T> {
  readonly list: readonly T[];
  readonly nextCursor: string | null;
}

/** The start of a page, and its size. */
interface PageOptions {
  readonly pageSize: number;
  readonly cursor?: string;
}

/** Maximum pages to read. Each page costs the server a bounded amount of work, and may be empty. */
const maxPages = 50;

/** The newest hits of a search, at most `last`. */
async function findNewest<T>(search: (page: PageOptions) => Promise<Page<T>>, last: number) {
  const hits: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages && hits.length < last; page += 1) {
    const request = { pageSize: last - hits.length, ...(cursor === null ? {} : { cursor }) };
    const { list, nextCursor }: Page<T> = await search(request);
    hits.push(...list);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return { hits, hasMore: cursor !== null };
}

/** Prints hits, the first one last, and whether there may be more. */
function printHits<T>(
  { hits, hasMore }: { readonly hits: readonly T[]; readonly hasMore: boolean },
  how: Shown<T>,
): void {
  if (how.json) return printJson(hits);
  for (const hit of hits.toReversed()) print(how.line(hit));
  if (hits.length === 0 && !hasMore) how.talk.note("Nothing was found.");
  if (hasMore) how.talk.note(how.more);
}

interface Shown<T> {
  readonly json: boolean;
  readonly talk: Talk;
  readonly line: (hit: T) => string;
  /** The note if there may be more hits. */
  readonly more: string;
}

/** Prints the newest messages that contain all words, newest last. */
export async function searchRooms(server: Server, { words, groupId, last, json, talk }: RoomSearch): Promise<void> {
  const input = { q: words, ...(groupId === undefined ? {} : { groupId }) };
  const result = await withClient(server, ({ messages }) =>
    findNewest((page) => messages.search({ ...input, ...page }), last),
  );
  const more = "There may be more: use more words, --group or a greater --last.";
  printHits(result, { json, talk, line: ({ message }) => asLine(message), more });
}

type FoundInConversation = Awaited<ReturnType<Client["ai"]["searchConversations"]>>["list"][number];

/** Prints the questions and replies that contain all words, those of the newest conversation last. */
export async function searchConversations(
  server: Server,
  { words: q, last, json, talk }: Omit<RoomSearch, "groupId">,
): Promise<void> {
  const result = await withClient(server, ({ ai }) =>
    findNewest(
      ({ pageSize, ...page }) => ai.searchConversations({ q, pageSize: Math.min(pageSize, 50), ...page }),
      last,
    ),
  );
  const more = "There may be more: use more words or a greater --last.";
  printHits(result, { json, talk, line: asFoundLine, more });
}

function asFoundLine({ createdAt, conversationId, title, role, excerpt }: FoundInConversation): string {
  const time = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const where = styleText("dim", `${time}  ${conversationId}  ${printable(title)}`);
  return `${where}  ${styleText("cyan", role)}  ${printable(excerpt.replaceAll(/\s+/g, " "))}`;
}

function asLine({ createTime, groupName, nickname, content }: MessageView): string {
  const time = new Date(createTime).toISOString().slice(0, 16).replace("T", " ");
  const where = styleText("dim", `${time}  ${printable(groupName)}`);
  return `${where}  ${styleText("cyan", printable(nickname))}  ${contentLines(content).join(" ")}`;
}
