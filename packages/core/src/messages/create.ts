import { actingFor, DeviceOrigin, type Implementation } from "@telex/ground/contract";
import type { Locale } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Zone } from "@telex/ground/time";
import type { BusLink } from "@telex/ground/bus";
import type { UserRecord } from "../records/users.ts";
import type { MessagesBusEvents } from "./bus-events.ts";
import type { MessagesLiveEvent } from "./live-events.ts";
import type { FanOut } from "@telex/ground/concurrency";
import type { LiveConnections } from "@telex/ground/live";
import type { Indexing } from "./search/indexing.ts";
import type { Room } from "../records/groups.ts";
import { createAmends, type MessageAmending } from "./amend.ts";
import { createRoomAnswering, type RoomAnsweringDeps } from "./answering.ts";
import { createListen } from "./listen.ts";
import { createRoomSources } from "./room-source.ts";
import { createOrder, type Order } from "./order/order.ts";
import { send as sendMessage } from "./send.ts";
import { createMessagesService, type MessagesDeps } from "./service.ts";
import { type PostedText, postText } from "./post-text.ts";
import { createNotices, type Notice } from "./notice/notice.ts";
import { createRoomFollows, type RoomFollows } from "./order/room-follows.ts";
import { createRecallNews, type RecallNews, recallReceived } from "./recalls/recall.ts";
import { createSlots } from "./order/slots.ts";
import { toPrintable } from "./printable.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";
import { isNotice, type MessageRecord } from "../records/messages.ts";
import type { MessagesContract, MessageView } from "./contract.ts";
import { createMessageView, createShow, type ShowMessage, type ViewMessage } from "./view.ts";

type MessagesService = Implementation<MessagesContract>;

export interface MessagesParts extends Omit<MessagesDeps, keyof Own | "slots" | "limits"> {
  readonly zone: Zone;
  readonly locale: Locale;
  readonly log: Logger;
  readonly limits: MessagesDeps["limits"] & { readonly roomCacheEntries: number };
  /** See `Storage.idOverlap`. */
  readonly idOverlap: number;
  readonly indexing: Pick<Indexing, "stored">;
  readonly live: Pick<LiveConnections<never>, "of">;
  readonly fanOut: FanOut<MessagesLiveEvent>;
  readonly bus: Pick<BusLink<MessagesBusEvents>, "publish" | "hasPeers" | "follow">;
  readonly present: (userId: number) => () => void;
  /** A connection of this user begins to hear of changes of rooms. The returned function ends that. */
  readonly enterNews: (userId: number) => Promise<() => void>;
  readonly answering: RoomAnsweringDeps["answering"];
  /** Call it when an answer begins. The returned function is called at its end. */
  readonly begin: () => () => void;
  readonly listModels: () => Promise<readonly UserRecord[]>;
  /** Prints a message on the devices that print its room. */
  readonly print: (message: ReturnType<typeof toPrintable>) => void;
  readonly pictureText: (md5: string, columns: number) => Promise<string>;
  readonly pictureData: (md5: string) => Promise<string | null>;
  /** Publishes for plug-ins a message that was stored here. */
  readonly created: (data: MessageView) => void;
}

const missedBy =
  ({ live }: Pick<MessagesParts, "live">) =>
  ({ members }: Room): void => {
    for (const userId of members.keys()) {
      for (const connection of live.of(userId)) connection.close("too_slow");
    }
  };

const createRoomOrder = (
  parts: MessagesParts,
  { view, recalls }: { readonly view: ViewMessage; readonly recalls: RecallNews },
): Order =>
  createOrder({
    store: parts.store,
    findRoom: (groupId) => parts.rooms.find(groupId),
    clock: parts.clock,
    limits: parts.limits,
    log: parts.log,
    deliver({ record, room, data: given, origin }) {
      const { group, members } = parts.rooms.latest(room);
      const current = recalls.current(record);
      const data = current === record && given !== undefined ? given : view(current, group);
      const event = { kind: "message", data } as const;
      const more = (isNotice(record) || record.extras !== null) && {
        more: { ...event, data: view(current, group, true) },
      };
      const sender = record.external ? null : Number(record.userId);
      parts.fanOut.publish({ event, ...more, members, sender, origin });
    },
    missed: missedBy(parts),
  });

type Own = Pick<MessagesDeps, "view" | "show" | "showPage" | "publish" | "storedElsewhere" | "recalls">;

const createDeps = (parts: MessagesParts, own: Own): MessagesDeps => ({
  security: parts.security,
  store: parts.store,
  bucket: parts.bucket,
  rooms: parts.rooms,
  findUser: parts.findUser,
  findUserByExt: parts.findUserByExt,
  findUploads: parts.findUploads,
  listGroupsOf: parts.listGroupsOf,
  gateways: parts.gateways,
  recallInNetwork: parts.recallInNetwork,
  nameInNetwork: parts.nameInNetwork,
  pinyin: parts.pinyin,
  search: parts.search,
  clock: parts.clock,
  limits: parts.limits,
  ordered: parts.ordered,
  slots: createSlots(),
  ...own,
});

const createAnswering = (parts: MessagesParts, deps: MessagesDeps) =>
  createRoomAnswering({
    answering: parts.answering,
    begin: parts.begin,
    clock: parts.clock,
    locale: parts.locale,
    log: parts.log,
    limits: parts.limits,
    store: parts.store,
    rooms: createRoomSources(parts),
    listModels: parts.listModels,
    send: (userId, { groupId, groupType }, message, tools) =>
      sendMessage(deps, actingFor(userId), { groupId, groupType, message, tools }, {}),
  });

const createListening = (
  parts: MessagesParts,
  { follows, view, show }: { readonly follows: RoomFollows; readonly view: ViewMessage; readonly show: ShowMessage },
) =>
  createListen(parts.fanOut, parts.log, {
    store: parts.store,
    listGroupsOf: parts.listGroupsOf,
    findRoom: (groupId) => parts.rooms.find(groupId),
    view,
    show,
    limits: parts.limits,
    idOverlap: parts.idOverlap,
    present: parts.present,
    enterNews: parts.enterNews,
    follow: parts.bus.hasPeers ? (userId) => follows.enter(userId) : null,
  });

/** Sends a text of a member's device to a room: once for each text, and only for a member. */
const createSayFromDevice =
  ({ rooms }: Pick<MessagesParts, "rooms">, { send }: Pick<MessagesService, "send">) =>
  async (
    { deviceId, owner, roomId }: DeviceRecord,
    { id, content }: { readonly id: number; readonly content: string },
  ): Promise<void> => {
    const room = roomId === null ? null : await rooms.find(roomId);
    if (room?.members.has(owner) !== true) return;
    const { groupId, groupType } = room.group;
    const message = { groupId, groupType, message: content, nonce: `device/${deviceId}/${id}` };
    await send(actingFor(owner), message, { origin: new DeviceOrigin(deviceId) });
  };

/** Chat rooms: their history, sending, and the events of a stored message. */
export function createMessages(parts: MessagesParts) {
  const { store, rooms, bus } = parts;
  const { findUser, locale } = parts;
  const view = createMessageView(parts.zone, parts.pinyin);
  const { show, showPage } = createShow({ findUser, pinyin: parts.pinyin, locale, view });
  const recalls = createRecallNews({
    store,
    findRoom: (groupId) => rooms.find(groupId),
    fanOut: parts.fanOut,
    limits: parts.limits,
    missed: missedBy(parts),
  });
  const order = createRoomOrder(parts, { view, recalls });
  const publish: MessagesDeps["publish"] = (record, prepared, origin, sent): void => {
    const room = rooms.latest(prepared);
    const data = view(record, room.group);
    order.offer({ record, room, data, origin });
    bus.publish({ kind: "message", record, ...(sent !== null && { sent }) });
    parts.created(data);
    parts.indexing.stored(record);
    if (isNotice(record)) return;
    answer(record, room);
    parts.print(toPrintable(parts, record, room, origin));
  };
  const storedElsewhere: Order["offer"] = (arrival) => order.offer(arrival);
  const deps = createDeps(parts, { view, show, showPage, publish, storedElsewhere, recalls });
  const service = createMessagesService(deps);
  const { indexing, search, pinyin, fanOut } = parts;
  const amends = createAmends({ store, rooms, send: deps, search, pinyin, view, recalls, fanOut, indexing });
  const follows = createRoomFollows({ bus, rooms, order, listGroupsOf: parts.listGroupsOf });
  const notices = createNotices(deps, parts.locale);
  const answer = createAnswering(parts, deps);
  return {
    service,
    show,
    roomModels: { answering: parts.answering, sourceOf: createRoomSources(parts) },
    listen: createListening(parts, { follows, view, show }),
    /** Call it when the members of a room have changed: listeners here may have a new room. */
    membersChanged: (groupId: number) => follows.membersChanged(groupId),
    sayFromDevice: createSayFromDevice(parts, service),
    announce: (notice: Notice) => notices.post(notice),
    postText: (posted: PostedText) => postText(deps, posted),
    /** Publishes to its members a message that was just stored here. */
    publish,
    recallReceived: (room: Room, messageId: number, operatorId: string | null) =>
      recallReceived(deps, room, { messageId, operatorId }),
    amend: (amending: MessageAmending) => amends.amend(amending),
    reactReceived: (...reaction: Parameters<typeof amends.reactReceived>) => amends.reactReceived(...reaction),
    /** Call it when a message was changed, maybe by another server. */
    amended: (key: string) => amends.heard(key),
    /** Call it when a message was recalled, maybe by another server. */
    recalled: (key: string) => recalls.heard(key),
    check: () => order.check(),
    /** Call it when another server has stored a message. `origin`: the connection of this server on which it was sent, or null. */
    async receive(record: MessageRecord, origin: object | null): Promise<void> {
      const room = await rooms.find(record.groupId);
      if (room !== null) order.offer({ record, room, origin });
    },
  };
}
