import type { AnsweringModels } from "../ai/answers.ts";
import { actingFor } from "../caller.ts";
import type { CompleteOptions } from "../options.ts";
import type { Shared } from "../shared.ts";
import { createRoomAnswering } from "./answering.ts";
import { createListen } from "./listen.ts";
import { createMessagesService } from "./service.ts";
import { createMessageView } from "./view.ts";

/** The models that answer, and a count of the answers in progress. */
export interface AnsweringDeps {
  readonly answering: AnsweringModels;
  /** Says that an answer is in progress; the returned function, that it is over. */
  readonly begin: () => () => void;
}

/** Chat rooms: their history, sending, and what is published of a stored message. */
export function createMessages(options: CompleteOptions, shared: Shared, answers: AnsweringDeps) {
  const { storage, limits, zone, clock, bots, log } = options;
  const { rooms, fanOut, events, pinyin, findUser, ordered } = shared;
  const view = createMessageView(zone, pinyin);
  const answer = createRoomAnswering({
    ...options,
    ...answers,
    store: storage.messages,
    listModels: () => storage.users.listModels(),
    send: (userId, { groupId, groupType }, message) =>
      service.send(actingFor(userId), { groupId, groupType, message }, {}),
  });
  const service = createMessagesService({
    store: storage.messages,
    rooms,
    findUser,
    findUserByExt: (ext) => storage.users.findUserByExt(ext),
    findUploads: (userId, md5s) => storage.bucket.findUploads(userId, md5s),
    bots,
    pinyin,
    clock,
    limits,
    ordered,
    view,
    publish(record, { group, members }, sender, origin) {
      const data = view(record, group);
      fanOut.publish({ event: { kind: "message", data }, members, sender, origin });
      events.emit("message.created", data);
      answer(record, { group, members });
    },
  });
  const listen = createListen(fanOut, log, {
    store: storage.messages,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    findRoom: (groupId) => rooms.find(groupId),
    view,
    limits,
  });
  return { service, listen };
}
