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

type Page = Awaited<ReturnType<Client["messages"]["search"]>>;

/** Maximum pages to read. Each page costs the server a bounded amount of work, and may be empty. */
const mostPages = 50;

/** The newest hits of a search, at most `last`. */
async function findNewest(
  { messages }: Client,
  asked: { readonly q: string; readonly groupId?: string },
  last: number,
) {
  const hits: Page["list"][number][] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages && hits.length < last; page += 1) {
    const rest = { pageSize: last - hits.length, ...(cursor === null ? {} : { cursor }) };
    const { list, nextCursor }: Page = await messages.search({ ...asked, ...rest });
    hits.push(...list);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return { hits, isMore: cursor !== null };
}

/** Prints the newest messages that contain all words, newest last. */
export async function searchRooms(server: Server, { words, groupId, last, json, talk }: RoomSearch): Promise<void> {
  const input = { q: words, ...(groupId === undefined ? {} : { groupId }) };
  const { hits, isMore } = await withClient(server, (client) => findNewest(client, input, last));
  if (json) return printJson(hits);
  for (const { message } of hits.toReversed()) print(asLine(message));
  if (hits.length === 0 && !isMore) talk.note("Nothing was found.");
  if (isMore) talk.note("There may be more: use more words, --group or a greater --last.");
}

function asLine({ createTime, groupName, nickname, content }: MessageView): string {
  const time = new Date(createTime).toISOString().slice(0, 16).replace("T", " ");
  const where = styleText("dim", `${time}  ${printable(groupName)}`);
  return `${where}  ${styleText("cyan", printable(nickname))}  ${contentLines(content).join(" ")}`;
}
