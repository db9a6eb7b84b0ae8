import { filesView } from "@telex/files";
import type { Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Zone } from "@telex/ground/time";
import { startChat } from "./chat.ts";
import { startCompletion } from "./complete.ts";
import type { AiContract, ConversationView } from "./contract.ts";
import { embed } from "./embed.ts";
import { readQuota } from "./quota/quota.ts";
import { chooseModel, type ReplyDeps } from "./reply.ts";
import type { ToolAnswers } from "./model.ts";
import { type ConversationSearchDeps, searchConversations } from "./search.ts";
import type { ConversationMessageRecord, ConversationRecord } from "../records/ai.ts";
import { toolUsesOf } from "../records/tool-use.ts";

const conversationView = (record: ConversationRecord, zone: Zone): ConversationView => ({
  id: record.id,
  userId: record.userId,
  title: record.title,
  status: record.status,
  defaultModel: record.defaultModel,
  lastMessage: zone.format(record.lastMessage),
  totalToken: record.totalToken,
});

const messageView = (
  { id, role, content, model, finishReason, uses, files, createdAt }: ConversationMessageRecord,
  zone: Zone,
) => ({
  id,
  role,
  content,
  model,
  finishReason,
  ...(files !== null && { files: filesView(files) }),
  ...(uses !== null && { tools: toolUsesOf(uses) }),
  createdAt: zone.format(createdAt),
});

const notFound = (): TelexError => new TelexError("not_found");

/** The conversations of the interface (4.2), and the other operations on them. */
const createConversations = ({
  store,
  zone,
}: ReplyDeps): Pick<
  Implementation<AiContract>,
  "conversations" | "conversationMessages" | "amendConversation" | "deleteConversation"
> => ({
  async conversations({ userId }, { page, pageSize }) {
    const { total, list } = await store.listConversations(userId, { offset: (page - 1) * pageSize, limit: pageSize });
    return { page, pageSize, total, list: list.map((record) => conversationView(record, zone)) };
  },
  async conversationMessages({ userId }, { conversationId, cursor = null, pageSize }) {
    const page = await store.pageTurns({ conversationId, userId, before: cursor, limit: pageSize });
    if (page === null) throw notFound();
    const messages = page.messages.map((record) => messageView(record, zone));
    return { nextPageCursor: page.more ? String(messages.at(-1)?.id) : null, messages };
  },
  async amendConversation({ userId }, { conversationId, title, status }) {
    const change = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
    const amended = await store.amendConversation({ conversationId, userId }, change);
    if (amended === null) throw notFound();
    return conversationView(amended, zone);
  },
  async deleteConversation({ userId }, { conversationId }) {
    if (!(await store.dropConversation({ conversationId, userId }))) throw notFound();
    return null;
  },
});

export const createAiService = (
  deps: ReplyDeps & ConversationSearchDeps & { readonly toolAnswers: ToolAnswers },
): Implementation<AiContract> => ({
  ...createConversations(deps),
  searchConversations: ({ userId }, input, context) => searchConversations(deps, userId, input, context),
  quota: ({ userId }) => readQuota(deps, userId),
  chat: ({ userId }, input, { signal = new AbortController().signal }) => startChat(deps, userId, input, signal),
  complete: ({ userId }, input, { signal = new AbortController().signal }) =>
    startCompletion(deps, userId, input, signal),
  embed: ({ userId }, input, { signal = new AbortController().signal }) => embed(deps, userId, input, signal),
  embeddingModels: () =>
    Promise.resolve([...deps.embeddingModels].map(([model, { inputTokens }]) => ({ model, inputTokens }))),
  async tool({ userId }, { callId, allow }) {
    if (!(await deps.toolAnswers.answer({ userId, callId, allow }))) throw notFound();
    return null;
  },
  setting: (_caller, setting) => {
    chooseModel(deps, setting.model ?? null, setting.maxOutputTokens ?? null);
    return Promise.resolve(setting);
  },
  models: () =>
    Promise.resolve(
      [...deps.models].map(([model, { contextTokens, maxOutputTokens, takesImages, takesTools, takesSettings }]) => ({
        model,
        contextTokens,
        maxOutputTokens,
        images: takesImages ?? false,
        tools: takesTools ?? false,
        settings: [...(takesSettings ?? [])],
      })),
    ),
});
