import type { MessageView } from "@telex/core";
import type { Caller } from "@telex/ws/client";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Live } from "../../server/live.ts";
import { createCurrent } from "../../base/current.ts";
import { connectLive } from "../../server/network.ts";
import { createOutbox, type Outbox, type OutboxOptions } from "../../outbox/outbox.ts";
import type { Account } from "../../app/account.ts";
import { createDrafts, type Drafts } from "../../outbox/drafts.ts";
import type { RoomsApi, RoomView, SegmentInput } from "../content/api.ts";
import { createRoom, type Room } from "./room.ts";
import { createRoomList, type RoomList } from "./room-list.ts";
import { createReceiving } from "./receiving.ts";
import { createTyping, type Typing } from "./typing.ts";
import { createAmends, type MessageAmends } from "./amends.ts";
import { createChanges, type RoomChanges } from "./changes.ts";
import { createFindPeople, type FindPeople } from "./people.ts";
import { createSearch, type Search } from "./search.ts";
import { isBy } from "../content/sender.ts";

export interface Rooms {
  readonly live: Live;
  readonly list: RoomList;
  readonly drafts: Drafts;
  readonly outbox: Outbox<MessageView>;
  /** The newest message of another member. */
  readonly arrived: ReadonlySignal<MessageView | null>;
  /** Opens a room and makes it the current one. */
  readonly open: (view: Pick<RoomView, "groupId" | "groupType">) => Room;
  /** The person has left the page of the room. */
  readonly leave: (groupId: number) => void;
  readonly send: (groupId: number, segments: readonly SegmentInput[]) => void;
  readonly search: Search;
  /** Marks a room as read up to a message. A failed mark is not repeated; the next one replaces it. */
  readonly read: (groupId: number, messageId: number) => void;
  /**
   * Fetches one message of a room.
   * @throws the errors of the server
   */
  readonly find: (view: Pick<RoomView, "groupId" | "groupType">, messageId: number) => Promise<MessageView | null>;
  /** @throws the errors of the server */
  readonly recall: (message: MessageView) => Promise<void>;
  readonly changes: RoomChanges;
  readonly amends: MessageAmends;
  readonly typing: Typing;
  /** Starts a search for people. */
  readonly people: () => FindPeople;
  /** True while the side panel of the open room is shown. */
  readonly isSideOpen: Signal<boolean>;
  readonly close: () => void;
}

interface RoomsOptions {
  readonly account: Pick<Account, "person" | "server" | "accounts" | "shelf" | "sockets" | "ended">;
  readonly window: Window;
  /** Called for each new message of another member. */
  readonly notify: (message: MessageView) => void;
}

const segmentTypes: ReadonlySet<unknown> = new Set<SegmentInput["type"]>(["text", "image", "file", "at", "reply"]);

const isSegment = (value: unknown): value is SegmentInput =>
  typeof value === "object" && value !== null && "data" in value && "type" in value && segmentTypes.has(value.type);

/** Parses a message from the outbox. */
export function readOutgoing(content: string): readonly SegmentInput[] {
  const stored: unknown = JSON.parse(content);
  return Array.isArray(stored) ? stored.filter(isSegment) : [];
}

async function fetchOne({ messages }: RoomsApi, view: Parameters<Rooms["find"]>[0], messageId: number) {
  const { groupId, groupType } = view;
  const page = await messages.history({ groupId, groupType, cursor: messageId + 1, pageSize: 1, more: 1 });
  return page.groupMessages.find((message) => message.messageId === messageId) ?? null;
}

interface SendingDeps {
  readonly api: RoomsApi;
  readonly list: RoomList;
  readonly find: Rooms["find"];
}

/** Sends a message, and fetches it as all members receive it. */
const createSend =
  ({ api, list, find }: SendingDeps) =>
  async ({ to, content, nonce }: { readonly to: string; readonly content: string; readonly nonce: string }) => {
    const groupId = Number(to);
    if (list.find(groupId) === undefined) await list.refresh(groupId);
    const groupType = list.find(groupId)?.groupType ?? 1;
    const { messageId } = await api.messages.send({ groupId, groupType, message: [...readOutgoing(content)], nonce });
    const message = await find({ groupId, groupType }, messageId);
    if (message === null) throw new TypeError("The message is not there yet.");
    return message;
  };

const createCurrentRoom = () => createCurrent(({ groupId }: Room) => groupId);

type CurrentRoom = ReturnType<typeof createCurrentRoom>;

/** Marks rooms as read, with one call at a time per room. Of the positions that arrive during a call, only the newest is sent. */
function createMarking(api: RoomsApi["rooms"], list: RoomList) {
  const wanted = new Map<number, number>();
  const running = new Set<number>();
  const markWanted = async (groupId: number): Promise<void> => {
    for (let messageId = wanted.get(groupId); messageId !== undefined; messageId = wanted.get(groupId)) {
      wanted.delete(groupId);
      const marker = await api.read({ groupId, messageId }).catch(() => null);
      if (marker !== null) list.mark(groupId, marker);
    }
    running.delete(groupId);
  };
  return (groupId: number, messageId: number): void => {
    wanted.set(groupId, messageId);
    if (running.has(groupId)) return;
    running.add(groupId);
    void markWanted(groupId);
  };
}

/** True if the room is listed and the person has not read the message. */
const isUnread = (list: RoomList, groupId: number, messageId: number): boolean => {
  const room = list.find(groupId);
  return room !== undefined && Number(room.readUpTo) < messageId;
};

/** Removes the content of a recalled message. */
const createForget =
  (list: RoomList, current: CurrentRoom, search: Search) =>
  ({ groupId, messageId }: Pick<MessageView, "groupId" | "messageId">): void => {
    list.recall(groupId, messageId);
    current.of(groupId)?.recalled(messageId);
    search.forget(messageId);
  };

/** Finds a message in the timeline, or fetches it. */
const createFinder =
  (api: RoomsApi, current: CurrentRoom): Rooms["find"] =>
  async (view, messageId) => {
    const near = current.of(view.groupId)?.timeline.peek()?.messages ?? [];
    return near.find((message) => message.messageId === messageId) ?? (await fetchOne(api, view, messageId));
  };

interface RoomsOutboxOptions extends Pick<OutboxOptions<MessageView>, "stored" | "isLive" | "shelf"> {
  readonly own: string;
}

/** The messages that are being sent. */
const createRoomsOutbox = (
  deps: SendingDeps,
  { own, stored, isLive, shelf }: RoomsOutboxOptions,
): Outbox<MessageView> =>
  createOutbox<MessageView>({
    stored,
    isLive,
    shelf,
    send: createSend(deps),
    canBe: (message, { to }) => isBy(message, own) && to === String(message.groupId),
  });

/** The rooms and messages that the page has loaded. */
function createKnownRooms(api: RoomsApi, userId: number) {
  const list = createRoomList(api.rooms, userId);
  const current = createCurrentRoom();
  const search = createSearch(api.messages);
  /** Shows a message in its room and in the list. */
  const show = (message: MessageView): void => {
    // A notice means that the room or its members have changed. Mentions are counted by the server.
    const isCounted = message.groupType !== 2 && /@|\{"at":/.test(message.content);
    if (!list.receive(message) || message.notice !== undefined || isCounted)
      void list.refresh(message.groupId).catch(() => {});
    current.of(message.groupId)?.receive(message);
    if (message.notice !== undefined) void current.of(message.groupId)?.loadMembers();
  };
  const edited = (message: MessageView): void => {
    list.edited(message);
    current.of(message.groupId)?.amend(message.messageId, () => message);
  };
  const find = createFinder(api, current);
  return { list, current, search, show, edited, find, forget: createForget(list, current, search) };
}

type KnownRooms = ReturnType<typeof createKnownRooms>;

interface ConnectionDeps extends Pick<KnownRooms, "list" | "current"> {
  readonly outbox: Outbox<MessageView>;
  readonly receive: ReturnType<typeof createReceiving>["receive"];
}

/** Subscribes to the events of rooms, and fetches missed messages. */
const connectRooms = (
  { account, window }: RoomsOptions,
  { list, current, outbox, receive }: ConnectionDeps,
): Live & Caller<"rooms"> =>
  connectLive(account, window, {
    channel: "rooms",
    query: { echo: "1", more: "1" },
    receive,
    async catchUp() {
      await list.load();
      await current.get()?.catchUp();
      await outbox.retry();
    },
  });

function createActions(api: RoomsApi, knownRooms: KnownRooms, outbox: Outbox<MessageView>) {
  const { list, current, forget } = knownRooms;
  const mark = createMarking(api.rooms, list);
  return {
    open: (view) => current.open(view.groupId, () => createRoom(api, view)),
    leave(groupId) {
      if (current.of(groupId) !== null) current.leave();
    },
    send: (groupId, segments) => outbox.send(String(groupId), JSON.stringify(segments)),
    read(groupId, messageId) {
      if (isUnread(list, groupId, messageId)) mark(groupId, messageId);
    },
    recall: async ({ groupId, messageId }) => forget(await api.messages.recall({ groupId, messageId })),
  } satisfies Partial<Rooms>;
}

/** The media query for windows that show the side panel as a column. */
export const wide = "(min-width: 70rem)";

/** The functions to create and manage rooms. */
const createRunning = (
  { account: { accounts, person }, window }: RoomsOptions,
  { list, edited }: KnownRooms,
): Pick<Rooms, "changes" | "amends" | "people" | "isSideOpen"> => ({
  amends: createAmends({ api: accounts.messages, amended: edited, refresh: list.refresh }),
  changes: createChanges(accounts.groups, list),
  people: () => createFindPeople(accounts.groups, person.userId),
  isSideOpen: signal(window.matchMedia(wide).matches),
});

export function createRooms(options: RoomsOptions): Rooms {
  const { server: api, person, shelf } = options.account;
  const knownRooms = createKnownRooms(api, person.userId);
  const { list, search, find, show: stored } = knownRooms;
  const own = String(person.userId);
  const isLive = (): boolean => live.state.value === "live";
  const outbox = createRoomsOutbox({ api, list, find }, { own, stored, isLive, shelf: shelf.folder("rooms") });
  const typing = createTyping((groupId) => live.call("typing", { groupId }));
  const { notify } = options;
  const { arrived, receive } = createReceiving({
    ...knownRooms,
    own,
    nickname: person.nickname,
    typing,
    outbox,
    notify,
  });
  const live = connectRooms(options, { ...knownRooms, outbox, receive });
  const actions = createActions(api, knownRooms, outbox);
  const drafts = createDrafts(shelf.folder("room-draft"));
  const running = createRunning(options, knownRooms);
  return {
    ...actions,
    ...running,
    typing,
    live,
    list,
    drafts,
    outbox,
    arrived,
    search,
    find,
    close: live.close,
  };
}
