import { type Chosen, TelexError } from "@telex/core";
import { createSlots } from "@telex/core/transport";
import type { Room, UserRecord } from "@telex/core/storage";
import { keepReferences, referencesIn, tellMissed, type Told } from "@telex/transcripts";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";

/** Summaries of one user on this server that are made simultaneously. */
const maxPerUser = 2;

interface MissedAsk {
  readonly userId: number;
  /** Only messages with a greater id; null: above the marker of the user. */
  readonly since: number | null;
  /** The user that is a model, or null for the first one. */
  readonly model: number | null;
  readonly signal: AbortSignal | undefined;
}

interface Missed {
  readonly text: string;
  readonly model: { readonly userId: string; readonly nickname: string };
  readonly since: string;
  readonly messages: number;
  readonly cut: boolean;
  readonly references: string[];
}

/** The models that are members of a room. No other model reads its messages. */
export async function modelsIn({ storage }: AuthDeps, { members }: Room): Promise<readonly UserRecord[]> {
  const models = await storage.users.listModels();
  return models.filter((user) => members.has(user.userId) && !isSuspended(user));
}

async function modelFor(deps: AuthDeps, room: Room, model: number | null): Promise<UserRecord> {
  const all = await modelsIn(deps, room);
  const match = model === null ? all[0] : all.find(({ userId }) => userId === model);
  if (match === undefined) throw new TelexError("not_found", { reason: "room_without_model" });
  return match;
}

/** Summarizes what members have missed in their rooms. */
export function createMissed(deps: AuthDeps) {
  const { telex, storage } = deps;
  const running = createSlots(maxPerUser);
  const ask = async (room: Room, { userId, since, model, signal }: MissedAsk): Promise<Missed> => {
    const { groupId, name } = room.group;
    const user = await modelFor(deps, room, model);
    const marker = (await storage.messages.findReadings(userId, [groupId])).get(groupId)?.readUpTo ?? 0;
    const after = since ?? marker;
    const asker = (await storage.users.findUser(userId))?.nickname ?? "";
    const answers: Told[] = [];
    const listen = async ({ model: reader, maxOutputTokens }: Chosen) => {
      const bounds = { reader, maxOutputTokens, roomTokens: telex.limits.roomTokens };
      const prompt = await tellMissed(telex.roomModels.sourceOf(groupId), { room: name, asker, after }, bounds);
      answers.push(prompt);
      return prompt.ids.size === 0 ? null : prompt.messages;
    };
    let said = "";
    for await (const piece of telex.roomModels.answering.answer(userId, user.ai ?? "", listen, { signal }))
      said += piece;
    const ids = answers[0]?.ids ?? new Set<number>();
    const text = keepReferences(said, ids);
    return {
      text,
      model: { userId: String(user.userId), nickname: user.nickname },
      since: String(after),
      messages: ids.size,
      cut: answers[0]?.isCut ?? false,
      references: referencesIn(text).map(String),
    };
  };
  /** @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`, `busy` */
  return async (room: Room, input: MissedAsk): Promise<Missed> => {
    const leave = running.take(input.userId);
    if (leave === null) throw new TelexError("busy", { retryAfter: 5 });
    return await ask(room, input).finally(leave);
  };
}
