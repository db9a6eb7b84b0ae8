import { interfaceLimits, codePoints, routeOf, deviceOf } from "@telex/ground/contract";
import { parseImageName } from "@telex/files/blobs";
import type { Room } from "../records/groups.ts";
import type { PrintableMessage } from "../teleprinter/room-printing.ts";
import type { UserRecord } from "../records/users.ts";
import { mentionedIn, mentionsAll } from "./mentions.ts";
import { plainText, type ReadSegment, readContent } from "../records/content.ts";
import type { MessageRecord } from "../records/messages.ts";

interface PrintableDeps {
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  /**
   * A stored picture as text with lines of `columns` characters.
   * @throws TelexError if it is gone or cannot be read
   */
  readonly pictureText: (md5: string, columns: number) => Promise<string>;
}

const { deviceText: longest } = interfaceLimits;
const longestTitle = 128;

const cut = (text: string, most: number): string =>
  codePoints(text) <= most ? text : `${[...text].slice(0, most - 1).join("")}…`;

/** `widest`: columns of the picture, if its text fits. */
async function printPicture({ pictureText }: PrintableDeps, md5: string, widest: number): Promise<string> {
  const read = async (columns: number): Promise<string> =>
    (await pictureText(md5, columns)).replaceAll("\r\n", "\n").replace(/\n$/, "");
  const text = await read(widest);
  if (text.length <= longest) return text;
  // A text grows with the square of its columns. One column less makes up for rounding.
  const columns = Math.max(1, Math.floor(widest * Math.sqrt(longest / text.length)) - 1);
  return cut(await read(columns), longest);
}

const md5Of = ({ image }: ReadSegment): string | null => parseImageName(image?.file ?? "")?.md5 ?? null;

/** Words first, then each picture. An unreadable picture is replaced by a word. */
async function textsOf(
  deps: PrintableDeps,
  { nickname, content }: MessageRecord,
  columns: number,
): Promise<readonly string[]> {
  const segments = readContent(content);
  const pictures: string[] = [];
  const words: ReadSegment[] = [];
  for (const segment of segments) {
    const md5 = md5Of(segment);
    const picture = md5 === null ? null : await printPicture(deps, md5, columns).catch(() => null);
    if (picture === null) words.push(segment);
    else pictures.push(picture);
  }
  return [cut(`${nickname}: ${plainText(words)}`.trimEnd(), longest), ...pictures];
}

async function mentions({ findUser }: PrintableDeps, content: string, room: Room, userId: number): Promise<boolean> {
  const user = await findUser(userId);
  const card = room.members.get(userId)?.card ?? null;
  const segments = readContent(content);
  if (user === null) return false;
  const names = [user.nickname, ...(card === null ? [] : [card])];
  // In a room that is stored here, a user id stands for an ID of the network.
  const ownId = routeOf(room.group.groupType) === "store" ? String(userId) : null;
  const own = [
    { userId, ext: user.ext, names },
    { userId, ext: ownId, names },
  ];
  return mentionsAll(segments) || mentionedIn(segments, own).length > 0;
}

/** A stored message as devices print it. Its texts are made once for each width, and only if a device prints it. */
export function toPrintable(
  deps: PrintableDeps,
  record: MessageRecord,
  room: Room,
  origin: object | null,
): PrintableMessage {
  const texts = new Map<number, Promise<readonly string[]>>();
  return {
    groupId: record.groupId,
    deviceId: deviceOf(origin),
    isMember: (userId) => room.members.has(userId),
    mentions: (userId) => mentions(deps, record.content, room, userId),
    title: cut(room.group.name, longestTitle) || null,
    texts(columns) {
      const made = texts.get(columns) ?? textsOf(deps, record, columns);
      texts.set(columns, made);
      return made;
    },
  };
}
