import { createAnsweringModels } from "../ai/answering-models.ts";
import { createQuotaOperator } from "../ai/operator.ts";
import { createAiService } from "../ai/service.ts";
import { createAttempts } from "../security/attempts.ts";
import { actingFor } from "../contract/caller.ts";
import { createFiles } from "../bucket/create.ts";
import type { Contracts, Implementations, OperatorContracts } from "../contracts.ts";
import { createDevicesOperator } from "../devices/operator.ts";
import { createGateways } from "../gateways/create.ts";
import { createGroupsOperator } from "../groups/operator.ts";
import { createMessages } from "../messages/create.ts";
import type { CompleteOptions } from "../options/options.ts";
import { createPairingService } from "../pairing/service.ts";
import type { Shared } from "./shared.ts";
import { createTeleprinter } from "../teleprinter/create.ts";
import { createDeviceTokens, createTokensOperator, createUsersOperator } from "../users/operator.ts";
import { createEndUser } from "../users/end-user.ts";
import { createUsersService } from "../users/service.ts";
import type { Work } from "./work.ts";

interface OperatorParts {
  readonly files: ReturnType<typeof createFiles>;
  readonly teleprinter: ReturnType<typeof createTeleprinter>;
  readonly pairing: Implementations<Contracts>["pairing"];
}

function createOperator(
  options: CompleteOptions,
  shared: Shared,
  { files, teleprinter, pairing }: OperatorParts,
): Implementations<OperatorContracts> {
  const { storage, clock, zone, limits } = options;
  const { users, rooms, findUser, tokenEnded, security } = shared;
  const admin = {
    users: storage.users,
    tokens: storage.tokens,
    devices: storage.teleprinter,
    keepImage: files.keepImage,
    clock,
    zone,
    limits,
    changed: (kind: "user" | "token", id: number): void => (kind === "user" ? users.forget(id) : tokenEnded(id)),
    endUser: createEndUser({
      tokens: storage.tokens,
      groups: storage.groups,
      conversations: storage.ai,
      devices: storage.teleprinter,
      clock,
      changed: (kind, id) => (kind === "token" ? tokenEnded(id) : rooms.forget(id)),
      releaseDevice: async (userId, deviceId) => {
        await teleprinter.service.unregister(actingFor(userId), { deviceId }, {});
      },
    }),
  };
  const groupChanged = (groupId: number): void => {
    rooms.forget(groupId);
    security.note("group.changed", { groupId, by: "operator" });
  };
  const groups = { store: storage.groups, findUser, clock, zone, changed: groupChanged };
  return {
    users: createUsersOperator(admin),
    tokens: createTokensOperator(admin),
    groups: createGroupsOperator(groups),
    devices: createDevicesOperator({ store: storage.teleprinter, findUser, service: teleprinter.service, pairing }),
    files: files.operator,
    quota: createQuotaOperator({ ...options, store: storage.ai, findUser }),
  };
}

/** What does every operation, and the parts that transports and the watch use. */
export function createCapabilities(options: CompleteOptions, shared: Shared, work: Work) {
  const { storage } = options;
  const { findUser, tokenEnded, endEarlier } = shared;
  const begin = (): (() => void) => work.begin();
  const chat = { ...options, store: storage.ai, closing: work.closing, begin };
  const answers = { answering: createAnsweringModels(chat), begin };
  const files = createFiles(options, shared);
  const gateways = createGateways(options, shared, { work, receiveFile: files.receive });
  const messages = createMessages(options, shared, { answers, gateways: gateways.sends });
  const teleprinter = createTeleprinter({
    ...options,
    ...shared,
    ...answers,
    store: storage.teleprinter,
    raised: endEarlier,
  });
  const pairing = createPairingService({
    ...options,
    ...teleprinter,
    store: storage.pairings,
    devices: storage.teleprinter,
    security: shared.security,
    attempt: createAttempts(options.clock, options.limits.pairingAttempts),
    issueToken: createDeviceTokens({ ...options, ...shared }),
  });
  const implementations: Implementations<Contracts> = {
    teleprinter: teleprinter.service,
    pairing,
    ai: createAiService(chat),
    images: files.images,
    avatars: files.avatars,
    bucket: files.bucket,
    users: createUsersService({
      ...options,
      findUser,
      tokens: storage.tokens,
      devices: storage.teleprinter,
      revoked: tokenEnded,
    }),
    messages: messages.service,
  };
  return {
    implementations,
    operator: createOperator(options, shared, { files, teleprinter, pairing }),
    teleprinter,
    messages,
    gateways,
  };
}
