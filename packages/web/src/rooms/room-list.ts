import type { MessageView } from "@telex/core";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RoomsApi, RoomView } from "./api.ts";
import { recalledContent } from "./timeline.ts";

/** How far the person has read a room. */
type Marker = Pick<RoomView, "readUpTo" | "unread">;

/** The rooms of the person, newest activity first. Owns the list, and what is unread. */
export interface RoomList {
  /** Null before they are known. */
  readonly rooms: ReadonlySignal<readonly RoomView[] | null>;
  /** True while there are more than are listed. */
  readonly more: ReadonlySignal<boolean>;
  readonly unread: ReadonlySignal<number>;
  readonly find: (groupId: number) => RoomView | undefined;
  /**
   * Fetches as many as are listed already.
   * @throws what a call of the server throws
   */
  readonly load: () => Promise<void>;
  /** @throws what a call of the server throws */
  readonly loadMore: () => Promise<void>;
  /**
   * Fetches one room, such as one that is not listed yet.
   * @throws what a call of the server throws
   */
  readonly look: (groupId: number) => Promise<void>;
  /** Takes a message in; false for one of a room that is not listed. */
  readonly receive: (message: MessageView) => boolean;
  readonly mark: (groupId: number, marker: Marker) => void;
  readonly recall: (groupId: number, messageId: number) => void;
}

/** Rooms that are fetched in one call. */
const pageSize = 100;
/** No count goes further. */
const mostUnread = 1000;

const activityOf = ({ lastMessage }: RoomView): number => lastMessage?.messageId ?? 0;
const byActivity = (a: RoomView, b: RoomView): number => activityOf(b) - activityOf(a) || a.groupId - b.groupId;

/** A room with a message that was just told. One's own messages are read. */
function withMessage(room: RoomView, message: MessageView, isOwn: boolean): RoomView {
  if (message.messageId <= activityOf(room)) return room;
  const unread = isOwn ? 0 : Math.min(mostUnread, room.unread + 1);
  const readUpTo = isOwn ? String(message.messageId) : room.readUpTo;
  return { ...room, lastMessage: message, unread, readUpTo };
}

/** A marker only moves forward, in whatever order the news come. */
const withMarker = (room: RoomView, marker: Marker): RoomView =>
  Number(marker.readUpTo) < Number(room.readUpTo) ? room : { ...room, ...marker };

/** A message that was recalled says nothing any more. */
const withoutWords = (room: RoomView, messageId: number): RoomView =>
  room.lastMessage?.messageId === messageId
    ? { ...room, lastMessage: { ...room.lastMessage, type: 0, content: recalledContent } }
    : room;

/** Fetches the list in pages. */
async function fetchRooms(api: RoomsApi["rooms"], atLeast: number) {
  const list: RoomView[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.list>> = await api.list({
      pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    list.push(...page.list);
    cursor = page.nextCursor;
  } while (cursor !== null && list.length < atLeast);
  return { list, cursor };
}

/** The rooms that are listed, in their order. */
function createListed() {
  const rooms = signal<readonly RoomView[] | null>(null);
  const find = (groupId: number): RoomView | undefined => rooms.peek()?.find((room) => room.groupId === groupId);
  const put = (room: RoomView): void => {
    const others = (rooms.peek() ?? []).filter(({ groupId }) => groupId !== room.groupId);
    rooms.value = [...others, room].toSorted(byActivity);
  };
  /** False for a room that is not listed. */
  const change = (groupId: number, how: (room: RoomView) => RoomView): boolean => {
    const room = find(groupId);
    if (room !== undefined) put(how(room));
    return room !== undefined;
  };
  return { rooms, find, put, change };
}

/** Fetches the list, and more of it. */
function createLoading(api: RoomsApi["rooms"], rooms: Signal<readonly RoomView[] | null>) {
  const next = signal<string | null>(null);
  const load = async (): Promise<void> => {
    const { list, cursor } = await fetchRooms(api, rooms.peek()?.length ?? 0);
    [rooms.value, next.value] = [list, cursor];
  };
  const loadMore = async (): Promise<void> => {
    const cursor = next.peek();
    if (cursor === null) return;
    const page = await api.list({ pageSize, cursor });
    const known = new Set((rooms.peek() ?? []).map(({ groupId }) => groupId));
    rooms.value = [...(rooms.peek() ?? []), ...page.list.filter(({ groupId }) => !known.has(groupId))];
    next.value = page.nextCursor;
  };
  return { more: computed(() => next.value !== null), load, loadMore };
}

/** Nothing is known yet. */
export function createRoomList(api: RoomsApi["rooms"], userId: number): RoomList {
  const { rooms, find, put, change } = createListed();
  return {
    rooms,
    ...createLoading(api, rooms),
    unread: computed(() => (rooms.value ?? []).reduce((sum, { unread }) => sum + unread, 0)),
    find,
    look: async (groupId) => put(await api.find({ groupId })),
    receive: (message) =>
      change(message.groupId, (room) => withMessage(room, message, message.userId === String(userId))),
    recall: (groupId, messageId) => void change(groupId, (room) => withoutWords(room, messageId)),
    mark: (groupId, marker) => void change(groupId, (room) => withMarker(room, marker)),
  };
}
