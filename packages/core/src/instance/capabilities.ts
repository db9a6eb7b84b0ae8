import { createOperator } from "./operator.ts";
import {
  createAi,
  createDevices,
  createDrains,
  createNetworks,
  createPairing,
  createRoomMessages,
  createUsers,
} from "./wiring.ts";
import { createFiles } from "./files.ts";
import type { Contracts, Implementations } from "./contracts.ts";
import { type Figures, figuresOf } from "../observe/figures.ts";
import type { CompleteOptions } from "./options/options.ts";
import type { Shared } from "./shared.ts";
import { createRoomsCapability } from "./rooms.ts";
import type { Work } from "./work.ts";

export function createCapabilities(options: CompleteOptions, shared: Shared, work: Work) {
  const files = createFiles(options, shared);
  const { service: ai, answers } = createAi(options, shared, work, files.quoted);
  const gateways = createNetworks(options, shared, {
    work,
    receiveFile: files.receive,
    announce: (groupId, userId) => messages.announce({ kind: "account_changed", groupId, userId }),
  });
  const messages = createRoomMessages(options, shared, {
    answers,
    gateways: gateways.sends,
    recallInNetwork: gateways.recall,
    nameInNetwork: (group, ext) => gateways.names.find(group, ext),
    print: (message) => teleprinter.print(message),
    pictureText: files.pictureText,
    pictureData: files.pictureData,
    enterNews: (userId) => rooms.news.enter(userId),
  });
  const rooms = createRoomsCapability(options, shared, {
    gateways: gateways.sends,
    networkMembers: gateways.members.list,
    show: messages.show,
  });
  const teleprinter = createDevices(options, shared, { answers, sayInRoom: messages.sayFromDevice });
  const pairing = createPairing(options, shared, teleprinter);
  const implementations: Implementations<Contracts> = {
    teleprinter: teleprinter.service,
    pairing: pairing.service,
    ai,
    images: files.images,
    avatars: files.avatars,
    bucket: files.bucket,
    users: createUsers(options, shared),
    messages: messages.service,
    rooms: rooms.service,
  };
  const { draining, drains } = createDrains(options, shared, gateways);
  const figures = (): Figures => figuresOf(shared, work);
  const operator = createOperator(options, shared, {
    files,
    teleprinter,
    pairing: pairing.service,
    announce: messages.announce,
    bots: gateways.operator,
    findOtherKeys: gateways.findOtherKeys,
    figures,
    drains,
    roomChanged: rooms.news.changed,
  });
  const { offerToken } = pairing;
  return { figures, implementations, operator, teleprinter, offerToken, messages, rooms, gateways, draining, drains };
}
