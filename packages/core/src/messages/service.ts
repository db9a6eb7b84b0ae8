import { createFairQueue } from "@telex/ground/concurrency";
import type { Implementation } from "@telex/ground/contract";
import type { MessagesContract } from "./contract.ts";
import { positionOf } from "./history.ts";
import { recall, type RecallDeps } from "./recalls/recall.ts";
import { listFiles, type MessageFilesDeps } from "./received-files.ts";
import { send, type SendDeps } from "./send.ts";
import type { ShowMessage, ShowPage, ViewMessage } from "./view.ts";
import { type SearchDeps, searchMessages } from "./search/search.ts";
import { listUses } from "./uses.ts";

export interface MessagesDeps
  extends
    SendDeps,
    Pick<SearchDeps, "listGroupsOf" | "search">,
    Pick<RecallDeps, "recalls" | "recallInNetwork" | "security">,
    Pick<MessageFilesDeps, "bucket"> {
  readonly view: ViewMessage;
  readonly show: ShowMessage;
  readonly showPage: ShowPage;
}

/** History of chat rooms, search in them and sending to them (interface 4.6, 4.8). */
export function createMessagesService(deps: MessagesDeps): Implementation<MessagesContract> {
  const { limits, clock } = deps;
  const searches = createFairQueue(
    {
      running: limits.searchesAtOnce,
      runningOfKey: limits.searchesOfUserAtOnce,
      waiting: limits.searchQueue,
      waitingOfKey: limits.searchQueueOfUser,
      wait: limits.searchWait,
    },
    clock,
  );
  return {
    async history({ userId }, { groupId, groupType, cursor = null, pageSize, more }) {
      const { group } = await deps.rooms.enter({ groupId, groupType, userId });
      const page = await deps.store.page({ groupId, before: cursor, limit: pageSize });
      return {
        ...positionOf(page, pageSize),
        groupMessages: await deps.showPage(page.messages, group, more === 1),
      };
    },
    recall: (caller, input) => recall(deps, caller, input),
    async files({ userId }, { groupId, messageId }) {
      await deps.rooms.enter({ groupId, userId });
      return listFiles(deps, groupId, messageId);
    },
    search: (caller, input, context) =>
      searches.run(String(caller.userId), context.signal, () => searchMessages(deps, caller, input, context)),
    uses: ({ userId }, input) => listUses(deps, userId, input),
    send: (caller, input, context) => send(deps, caller, input, context),
  };
}
