import type { MessageView } from "@telex/core";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { RoomsApi, RoomView } from "../content/api.ts";
import { fetchPages } from "./pages.ts";
import { isBy } from "../content/sender.ts";
import {
  type Marker,
  byActivity,
  withMessage,
  isForward,
  isUncertain,
  mentionsIn,
  withKeptPicture,
  withMarker,
  withoutWords,
  withWords,
} from "./listed-rooms.ts";

/** The rooms of the person, by their newest activity. Owns the list and the unread counts. */
export interface RoomList {
  /** Null until they are loaded. */
  readonly rooms: ReadonlySignal<readonly RoomView[] | null>;
  /** True if not all rooms are listed. */
  readonly more: ReadonlySignal<boolean>;
  readonly unread: ReadonlySignal<number>;
  /** The number of unread mentions. */
  readonly mentions: ReadonlySignal<number>;
  readonly find: (groupId: number) => RoomView | undefined;
  /**
   * Fetches as many rooms as are already listed.
   * @throws the errors of the server
   */
  readonly load: () => Promise<void>;
  /** @throws the errors of the server */
  readonly loadMore: () => Promise<void>;
  /**
   * Fetches one room, which may not be listed yet.
   * @throws the errors of the server
   */
  readonly refresh: (groupId: number) => Promise<void>;
  /** Adds a message. Returns false if its room is not listed. */
  readonly receive: (message: MessageView) => boolean;
  /** Applies a marker. If its unread count is uncertain, the room is fetched. */
  readonly mark: (groupId: number, marker: Marker) => void;
  readonly recall: (groupId: number, messageId: number) => void;
  /** Shows the new version of an edited message. */
  readonly edited: (message: MessageView) => void;
  /** Adds or replaces a room. */
  readonly put: (room: RoomView) => void;
  /** Removes a room that the person is no longer a member of. */
  readonly drop: (groupId: number) => void;
}

type ListApi = Pick<RoomsApi["rooms"], "list" | "find">;

/** Rooms per call. */
const pageSize = 100;

const fetchRooms = (api: ListApi, atLeast: number) =>
  fetchPages<RoomView>((at) => api.list({ pageSize, ...at }), atLeast);

type Change = (room: RoomView) => RoomView;

type Recording = { readonly groupId: number; readonly change: Change }[];

/** Records the changes that arrive while rooms are fetched, because the fetched rooms may not include them. */
function createRecorder() {
  const recordings = new Set<Recording>();
  return {
    record(groupId: number, change: Change): void {
      for (const recording of recordings) recording.push({ groupId, change });
    },
    /** Resolves with the result, and with a function that applies the changes recorded during the work. */
    async during<T>(work: () => Promise<T>): Promise<readonly [T, Change]> {
      const recording: Recording = [];
      recordings.add(recording);
      try {
        const fetched = await work();
        const renew: Change = (room) =>
          recording
            .filter(({ groupId }) => groupId === room.groupId)
            .reduce((current, { change }) => change(current), room);
        return [fetched, renew];
      } finally {
        recordings.delete(recording);
      }
    },
  };
}

function createListed() {
  const rooms = signal<readonly RoomView[] | null>(null);
  const recorder = createRecorder();
  const find = (groupId: number): RoomView | undefined => rooms.peek()?.find((room) => room.groupId === groupId);
  const put = (room: RoomView): void => {
    const others = (rooms.peek() ?? []).filter(({ groupId }) => groupId !== room.groupId);
    rooms.value = [...others, withKeptPicture(room, find(room.groupId))].toSorted(byActivity);
  };
  /** Returns false if the room is not listed. */
  const change = (groupId: number, how: Change): boolean => {
    recorder.record(groupId, how);
    const room = find(groupId);
    if (room !== undefined) put(how(room));
    return room !== undefined;
  };
  const drop = (groupId: number): void => {
    rooms.value = rooms.peek()?.filter((room) => room.groupId !== groupId) ?? null;
  };
  return { rooms, recorder, find, put, drop, change };
}

function createLoading(api: ListApi, { rooms, recorder, put }: ReturnType<typeof createListed>) {
  const next = signal<string | null>(null);
  const load = async (): Promise<void> => {
    const [{ list, cursor }, renew] = await recorder.during(() => fetchRooms(api, rooms.peek()?.length ?? 0));
    [rooms.value, next.value] = [list.map(renew).toSorted(byActivity), cursor];
  };
  const loadMore = async (): Promise<void> => {
    const cursor = next.peek();
    if (cursor === null) return;
    const [page, renew] = await recorder.during(() => api.list({ pageSize, cursor }));
    const listed = new Set((rooms.peek() ?? []).map(({ groupId }) => groupId));
    rooms.value = [...(rooms.peek() ?? []), ...page.list.filter(({ groupId }) => !listed.has(groupId)).map(renew)];
    next.value = page.nextCursor;
  };
  const refresh = async (groupId: number): Promise<void> => {
    const [room, renew] = await recorder.during(() => api.find({ groupId }));
    put(renew(room));
  };
  return { more: computed(() => next.value !== null), load, loadMore, refresh };
}

export function createRoomList(api: ListApi, userId: number): RoomList {
  const listed = createListed();
  const { rooms, find, put, drop, change } = listed;
  const loading = createLoading(api, listed);
  return {
    rooms,
    ...loading,
    unread: computed(() => (rooms.value ?? []).reduce((sum, { unread }) => sum + unread, 0)),
    mentions: computed(() => (rooms.value ?? []).reduce((sum, room) => sum + mentionsIn(room), 0)),
    find,
    put,
    drop,
    receive: (message) => change(message.groupId, (room) => withMessage(room, message, isBy(message, String(userId)))),
    edited: (message) => void change(message.groupId, (room) => withWords(room, message)),
    recall: (groupId, messageId) => void change(groupId, (room) => withoutWords(room, messageId)),
    mark(groupId, marker) {
      const current = find(groupId);
      change(groupId, (room) => withMarker(room, marker));
      const isCounted = current === undefined || !isForward(current, marker) || !isUncertain(current, marker);
      if (!isCounted) void loading.refresh(groupId).catch(() => {});
    },
  };
}
