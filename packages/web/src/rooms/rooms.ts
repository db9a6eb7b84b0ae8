import type { MessageView } from "@telex/core";
import type { ChannelEvent } from "@telex/ws/client";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Live } from "../live/live.ts";
import { connectLive } from "../live/network.ts";
import { createOutbox, type Outbox, type OutboxOptions } from "../outbox/outbox.ts";
import type { Account } from "../session/account.ts";
import { createDrafts, type Drafts } from "../teleprinter/drafts.ts";
import type { RoomsApi, RoomView, SegmentInput } from "./api.ts";
import { createRoom, type Room } from "./room.ts";
import { createRoomList, type RoomList } from "./room-list.ts";
import { createSearch, type Search } from "./search.ts";

/** The chat rooms of one person. */
export interface Rooms {
  readonly live: Live;
  readonly list: RoomList;
  readonly drafts: Drafts;
  readonly outbox: Outbox<MessageView>;
  /** Messages that were not read, over all rooms that are listed. */
  readonly unread: ReadonlySignal<number>;
  /** The newest message of somebody else. */
  readonly arrived: ReadonlySignal<MessageView | null>;
  /** A room, from now on the one that is looked at. */
  readonly open: (view: Pick<RoomView, "groupId" | "groupType">) => Room;
  /** The room is not looked at any more. */
  readonly leave: (groupId: number) => void;
  readonly send: (groupId: number, segments: readonly SegmentInput[]) => void;
  readonly search: Search;
  /** Marks a room as read up to a message. A mark that fails is made good by the next. */
  readonly read: (groupId: number, messageId: number) => void;
  /**
   * One message of a room, from the server.
   * @throws what a call of the server throws
   */
  readonly find: (view: Pick<RoomView, "groupId" | "groupType">, messageId: number) => Promise<MessageView | null>;
  /** @throws what a call of the server throws */
  readonly recall: (message: MessageView) => Promise<void>;
  readonly close: () => void;
}

/** What {@link createRooms} needs. */
interface RoomsOptions {
  readonly account: Pick<Account, "person" | "server" | "shelf" | "sockets" | "ended">;
  readonly window: Window;
  /** A message of somebody else has arrived. */
  readonly notify: (message: MessageView) => void;
}

const segmentTypes: ReadonlySet<unknown> = new Set<SegmentInput["type"]>(["text", "image", "file", "at", "reply"]);

const isSegment = (value: unknown): value is SegmentInput =>
  typeof value === "object" && value !== null && "data" in value && "type" in value && segmentTypes.has(value.type);

/** What goes out, as it is kept. */
export function readOutgoing(content: string): readonly SegmentInput[] {
  const kept: unknown = JSON.parse(content);
  return Array.isArray(kept) ? kept.filter(isSegment) : [];
}

/** One message, by its number. */
const createFetch =
  ({ messages }: RoomsApi): Rooms["find"] =>
  async ({ groupId, groupType }, messageId) => {
    const page = await messages.history({ groupId, groupType, cursor: messageId + 1, pageSize: 1 });
    return page.groupMessages.find((message) => message.messageId === messageId) ?? null;
  };

interface SendingDeps {
  readonly api: RoomsApi;
  readonly list: RoomList;
  readonly find: Rooms["find"];
}

/** Sends a message, and fetches it as everybody gets it. */
const createSend =
  ({ api, list, find }: SendingDeps) =>
  async ({ to, content, nonce }: { readonly to: string; readonly content: string; readonly nonce: string }) => {
    const groupId = Number(to);
    if (list.find(groupId) === undefined) await list.look(groupId);
    const groupType = list.find(groupId)?.groupType ?? 1;
    const { messageId } = await api.messages.send({ groupId, groupType, message: [...readOutgoing(content)], nonce });
    const message = await find({ groupId, groupType }, messageId);
    if (message === null) throw new TypeError("The message is not there yet.");
    return message;
  };

/** The room that is looked at, if any. */
function createCurrent(api: RoomsApi) {
  let current: Room | null = null;
  return {
    of: (groupId: number): Room | null => (current?.groupId === groupId ? current : null),
    open: (view: Pick<RoomView, "groupId" | "groupType">): Room => {
      current = current?.groupId === view.groupId ? current : createRoom(api, view);
      return current;
    },
    leave: (groupId: number): void => {
      if (current?.groupId === groupId) current = null;
    },
    catchUp: async (): Promise<void> => current?.catchUp(),
  };
}

/** Marks rooms as read, one call for each room at a time; meanwhile only the newest place is remembered. */
function createMarking(api: RoomsApi["rooms"], list: RoomList) {
  const wanted = new Map<number, number>();
  const running = new Set<number>();
  const run = async (groupId: number): Promise<void> => {
    if (running.has(groupId)) return;
    running.add(groupId);
    for (let messageId = wanted.get(groupId); messageId !== undefined; messageId = wanted.get(groupId)) {
      wanted.delete(groupId);
      const marker = await api.read({ groupId, messageId }).catch(() => null);
      if (marker !== null) list.mark(groupId, marker);
    }
    running.delete(groupId);
  };
  return (groupId: number, messageId: number): void => {
    const known = list.find(groupId);
    if (known === undefined || Number(known.readUpTo) >= messageId) return;
    wanted.set(groupId, messageId);
    void run(groupId);
  };
}

/** Takes away what a message said that was recalled. */
const createForget =
  (list: RoomList, current: ReturnType<typeof createCurrent>, search: Search) =>
  ({ groupId, messageId }: Pick<MessageView, "groupId" | "messageId">): void => {
    list.recall(groupId, messageId);
    current.of(groupId)?.recalled(messageId);
    search.forget(messageId);
  };

interface ReceivingDeps {
  readonly own: string;
  readonly list: RoomList;
  readonly current: ReturnType<typeof createCurrent>;
  readonly outbox: Outbox<MessageView>;
  /** Shows a message in its room and in the list. */
  readonly show: (message: MessageView) => void;
  readonly arrived: Signal<MessageView | null>;
  /** A message was recalled. */
  readonly forget: ReturnType<typeof createForget>;
  readonly notify: RoomsOptions["notify"];
}

/** Takes in what the server tells. */
function createReceiving({ own, list, current, outbox, show, arrived, forget, notify }: ReceivingDeps) {
  const take = (message: MessageView): void => {
    if (outbox.hold(message)) return;
    show(message);
    if (message.userId === own) return;
    arrived.value = message;
    notify(message);
  };
  return (event: ChannelEvent<"rooms">): void => {
    if (event.type === "GroupMessage") take(event.data);
    else if (event.type === "Gap") current.of(event.data.groupId)?.miss(event.data.since);
    else if (event.type === "GroupMessageRecalled") forget(event.data);
    else list.mark(event.data.groupId, event.data);
  };
}

/** Finds a message near what is looked at, or on the server. */
function createFinder(api: RoomsApi, current: ReturnType<typeof createCurrent>): Rooms["find"] {
  const fetchOne = createFetch(api);
  return async (view, messageId) => {
    const near = current.of(view.groupId)?.timeline.peek()?.messages ?? [];
    return near.find((message) => message.messageId === messageId) ?? (await fetchOne(view, messageId));
  };
}

/** The messages on their way. */
function createRoomsOutbox(
  { api, list, find }: SendingDeps,
  options: Pick<OutboxOptions<MessageView>, "stored" | "isLive" | "shelf"> & { readonly own: string },
): Outbox<MessageView> {
  return createOutbox<MessageView>({
    ...options,
    send: createSend({ api, list, find }),
    canBe: (message, { to }) => message.userId === options.own && to === String(message.groupId),
  });
}

/** Connects the rooms of a person. */
export function createRooms(options: RoomsOptions): Rooms {
  const { server: api, person, shelf } = options.account;
  const own = String(person.userId);
  const list = createRoomList(api.rooms, person.userId);
  const current = createCurrent(api);
  const arrived = signal<MessageView | null>(null);
  const find = createFinder(api, current);
  const show = (message: MessageView): void => {
    if (!list.receive(message)) void list.look(message.groupId).catch(() => {});
    current.of(message.groupId)?.receive(message);
  };
  const isLive = (): boolean => live.state.value === "live";
  const outbox = createRoomsOutbox({ api, list, find }, { own, stored: show, isLive, shelf: shelf.folder("rooms") });
  const catchUp = async (): Promise<void> => {
    await list.load();
    await current.catchUp();
    await outbox.retry();
  };
  const search = createSearch(api.messages);
  const forget = createForget(list, current, search);
  const receive = createReceiving({ own, list, current, outbox, show, arrived, forget, notify: options.notify });
  const how = { channel: "rooms", query: { echo: "1" }, receive, catchUp } as const;
  const live: Live = connectLive(options.account, options.window, how);
  return {
    live,
    list,
    drafts: createDrafts(shelf.folder("room-draft")),
    outbox,
    unread: list.unread,
    arrived,
    search,
    open: current.open,
    leave: current.leave,
    send: (groupId, segments) => outbox.send(String(groupId), JSON.stringify(segments)),
    read: createMarking(api.rooms, list),
    find,
    recall: async ({ groupId, messageId }) => forget(await api.messages.recall({ groupId, messageId })),
    close: live.close,
  };
}
