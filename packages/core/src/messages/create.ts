import type { AnsweringModels } from "../ai/answers.ts";
import { actingFor } from "../contract/caller.ts";
import type { Implementation } from "../contract/operation.ts";
import { gatewayFilesOf } from "../gateways/files.ts";
import type { RecallInNetwork } from "../gateways/recall.ts";
import type { GatewaySends } from "../gateways/send.ts";
import type { Room } from "../groups/rooms.ts";
import type { CompleteOptions } from "../instance/options.ts";
import type { Shared } from "../instance/shared.ts";
import { createRoomAnswering } from "./answering.ts";
import { createListen } from "./listen.ts";
import { createOrder, type Order } from "./order.ts";
import { createMessagesService, type MessagesDependencies } from "./service.ts";
import { createNotices, type Notice } from "./notice.ts";
import { createRoomFollows, type RoomFollows } from "./room-follows.ts";
import { createRecallNews, type RecallNews, recallReceived } from "./recall.ts";
import { createPlaces } from "./places.ts";
import { DeviceOrigin } from "./origin.ts";
import { toPrintable } from "./printable.ts";
import type { DeviceMessageView } from "../teleprinter/contract.ts";
import type { PrintableMessage } from "../teleprinter/room-printing.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { MessagesContract } from "./contract.ts";
import { createMessageView, type ViewMessage } from "./view.ts";

/** The models that answer, and a count of the answers in progress. */
interface AnsweringDeps {
  readonly answering: AnsweringModels;
  /** Says that an answer is in progress; the returned function, that it is over. */
  readonly begin: () => () => void;
}

type MessagesService = Implementation<MessagesContract>;

/** The members of a room missed too much: their connections come again with `since`. */
const missedBy =
  ({ live }: Shared) =>
  ({ members }: Room): void => {
    for (const userId of members.keys()) {
      for (const connection of live.of(userId)) connection.close("too_slow");
    }
  };

const createRoomOrder = (
  { storage, clock, limits, log }: CompleteOptions,
  shared: Shared,
  { view, recalls }: { readonly view: ViewMessage; readonly recalls: RecallNews },
): Order =>
  createOrder({
    store: storage.messages,
    findRoom: (groupId) => shared.rooms.find(groupId),
    clock,
    limits,
    log,
    deliver({ record, room: { group, members }, data: given, origin }) {
      const current = recalls.current(record);
      const data = current === record && given !== undefined ? given : view(current, group);
      const sender = record.external ? null : Number(record.userId);
      shared.fanOut.publish({ event: { kind: "message", data }, members, sender, origin });
    },
    missed: missedBy(shared),
  });

const createDeps = (
  options: CompleteOptions,
  { rooms, findUser, pinyin, search, ordered, security }: Shared,
  own: Pick<
    MessagesDependencies,
    "gateways" | "recallInNetwork" | "nameInNetwork" | "view" | "publish" | "storedElsewhere" | "recalls"
  >,
): MessagesDependencies => ({
  ...own,
  security,
  store: options.storage.messages,
  bucket: options.storage.bucket,
  rooms,
  findUser,
  listGroupsOf: (userId) => options.storage.groups.listGroupsOf(userId),
  findUserByExt: (ext) => options.storage.users.findUserByExt(ext),
  findUploads: (userId, md5s) => options.storage.bucket.findUploads(userId, md5s),
  toGatewayFile: gatewayFilesOf(options),
  pinyin,
  search,
  places: createPlaces(),
  clock: options.clock,
  limits: options.limits,
  ordered,
});

const createAnswering = (options: CompleteOptions, answers: AnsweringDeps, { send }: Pick<MessagesService, "send">) =>
  createRoomAnswering({
    ...options,
    ...answers,
    store: options.storage.messages,
    listModels: () => options.storage.users.listModels(),
    send: (userId, { groupId, groupType }, message) => send(actingFor(userId), { groupId, groupType, message }, {}),
  });

function createListening(
  { storage, limits, log }: CompleteOptions,
  { rooms, fanOut, bus, roomPresence }: Shared,
  { follows, view }: { readonly follows: RoomFollows; readonly view: ViewMessage },
) {
  const listGroupsOf = (userId: number) => storage.groups.listGroupsOf(userId);
  return createListen(fanOut, log, {
    store: storage.messages,
    listGroupsOf,
    findRoom: (groupId) => rooms.find(groupId),
    view,
    limits,
    idOverlap: storage.idOverlap ?? 0,
    present: (userId) => roomPresence.open(userId),
    follow: bus.hasPeers ? (userId) => follows.enter(userId) : null,
  });
}

interface MessagesParts {
  readonly answers: AnsweringDeps;
  readonly gateways: GatewaySends;
  readonly recallInNetwork: RecallInNetwork;
  readonly nameInNetwork: MessagesDependencies["nameInNetwork"];
  /** Prints a message on the devices that print its room. */
  readonly print: (message: PrintableMessage) => void;
  /** A stored picture as text. */
  readonly pictureText: (md5: string, columns: number) => Promise<string>;
}

/** Says in a room what its member has said on a device: once for each text, and only for a member. */
const createSayFromDevice =
  ({ rooms }: Shared, { send }: Pick<MessagesService, "send">) =>
  async ({ deviceId, owner, roomId }: DeviceRecord, { id, content }: DeviceMessageView): Promise<void> => {
    const room = roomId === null ? null : await rooms.find(roomId);
    if (room?.members.has(owner) !== true) return;
    const { groupId, groupType } = room.group;
    const message = { groupId, groupType, message: content, nonce: `device/${deviceId}/${id}` };
    await send(actingFor(owner), message, { origin: new DeviceOrigin(deviceId) });
  };

/** Chat rooms: their history, sending, and what is published of a stored message. */
export function createMessages(
  options: CompleteOptions,
  shared: Shared,
  { answers, gateways, recallInNetwork, nameInNetwork, print, pictureText }: MessagesParts,
) {
  const { rooms, bus, events, indexing } = shared;
  const view = createMessageView(options.zone, shared.pinyin);
  const recalls = createRecallNews({
    store: options.storage.messages,
    findRoom: (groupId) => rooms.find(groupId),
    fanOut: shared.fanOut,
    limits: options.limits,
    missed: missedBy(shared),
  });
  const order = createRoomOrder(options, shared, { view, recalls });
  const publish: MessagesDependencies["publish"] = (record, room, origin, sent): void => {
    const data = view(record, room.group);
    order.offer({ record, room, data, origin });
    bus.publish({ kind: "message", record, ...(sent !== null && { sent }) });
    events.emit("message.created", data);
    indexing.stored(record);
    answer(record, room);
    print(toPrintable({ findUser: shared.findUser, pictureText }, record, room, origin));
  };
  const storedElsewhere: Order["offer"] = (arrival) => order.offer(arrival);
  const told = { publish, storedElsewhere, view, recalls };
  const deps = createDeps(options, shared, { gateways, recallInNetwork, nameInNetwork, ...told });
  const service = createMessagesService(deps);
  const follows = createRoomFollows({ bus, rooms, order, listGroupsOf: deps.listGroupsOf });
  const notices = createNotices(deps, options.locale);
  const answer = createAnswering(options, answers, service);
  return {
    service,
    view,
    listen: createListening(options, shared, { follows, view }),
    /** The members of a room have changed: who listens here may have a new room. */
    membersChanged: (groupId: number) => follows.membersChanged(groupId),
    sayFromDevice: createSayFromDevice(shared, service),
    /** Says in a room what an admin does. */
    announce: (notice: Notice, groupId: number, userId: number) => notices.post(notice, groupId, userId),
    /** Tells the members of a message that was just stored here. */
    publish,
    /** Recalls what was recalled in an external network. */
    recallReceived: (room: Room, messageId: number, operatorId: string | null) =>
      recallReceived(deps, room, { messageId, operatorId }),
    /** A message was recalled, maybe by another server. */
    recalled: (key: string) => recalls.heard(key),
    /** Looks for messages that the bus has lost. */
    check: () => order.check(),
    /** Another server has stored a message. `origin`: the connection of this server on which it was sent, or null. */
    async receive(record: MessageRecord, origin: object | null): Promise<void> {
      const room = await rooms.find(record.groupId);
      if (room !== null) order.offer({ record, room, origin });
    },
  };
}
