import type { SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import {
  type AnswerRequest,
  type AnswersDependencies,
  createAnswers,
  messagesShown,
  type Said,
} from "../ai/answers.ts";
import type { GroupRecord, Room } from "../records/groups.ts";
import type { UserRecord } from "../records/users.ts";
import type { SegmentInput } from "./contract.ts";
import { mayMention, type Mentionable, mentionedIn } from "./mentions.ts";
import { plainText, readContent } from "../records/content.ts";
import type { MessageStore } from "./store.ts";
import type { MessageRecord } from "../records/messages.ts";

export interface RoomAnsweringDependencies extends AnswersDependencies {
  readonly store: Pick<MessageStore, "page" | "findMessage">;
  readonly listModels: () => Promise<readonly UserRecord[]>;
  readonly limits: Pick<SharedLimits, "messageText">;
  readonly send: (userId: number, group: GroupRecord, message: SegmentInput[]) => Promise<unknown>;
}

const isBy = ({ external, userId }: MessageRecord, user: number): boolean => !external && userId === String(user);

/** A model's own messages are its answers, everybody else's are questions. */
function toSaid(message: MessageRecord, model: number): Said {
  const content = plainText(readContent(message.content));
  if (isBy(message, model)) return { role: "assistant", content };
  return { role: "user", content: `${message.nickname}: ${content}` };
}

/**
 * The messages of the room up to the question, which comes last, and those of the model since. Null if the question was
 * recalled: the model does not get to know it.
 */
async function listen(
  { store }: RoomAnsweringDependencies,
  question: MessageRecord,
  model: number,
): Promise<readonly Said[] | null> {
  const stored = await store.findMessage(question.groupId, question.id);
  if (stored?.content !== question.content) return null;
  const { messages } = await store.page({ groupId: question.groupId, before: null, limit: messagesShown });
  const before = messages.filter((message) => message.id < question.id || isBy(message, model)).toReversed();
  return [...before, question].map((message) => toSaid(message, model));
}

type Member = Mentionable & { readonly user: UserRecord };

const membersAmong = (users: readonly UserRecord[], { members }: Room): Member[] =>
  users.flatMap((user) => {
    const member = members.get(user.userId);
    if (member === undefined) return [];
    return [
      {
        user,
        userId: user.userId,
        ext: user.ext,
        names: [user.nickname, ...(member.card === null ? [] : [member.card])],
      },
    ];
  });

interface Asked {
  readonly question: MessageRecord;
  readonly room: Room;
}

const requestTo = (
  deps: RoomAnsweringDependencies,
  { userId, ai }: UserRecord,
  { question, room }: Asked,
): AnswerRequest => ({
  place: `${question.groupId}/${userId}`,
  asker: Number(question.userId),
  model: ai ?? "",
  listen: () => listen(deps, question, userId),
  send: (text) =>
    deps.send(userId, room.group, [
      { type: "reply", data: { messageId: question.id } },
      { type: "text", data: { text } },
    ]),
});

async function askMentioned(
  deps: RoomAnsweringDependencies,
  answer: (request: AnswerRequest) => void,
  { question, room }: Asked,
): Promise<void> {
  const models = await deps.listModels();
  // A model does not answer messages of a model: two of them would never stop.
  if (models.some(({ userId }) => isBy(question, userId))) return;
  for (const { user } of mentionedIn(readContent(question.content), membersAmong(models, room)))
    answer(requestTo(deps, user, { question, room }));
}

/**
 * Answers the messages of rooms in which people mention users that are models, as those users and under the quota of the
 * person who asked. Called with each message that was stored. Does not delay the sender.
 */
export function createRoomAnswering(deps: RoomAnsweringDependencies): (question: MessageRecord, room: Room) => void {
  const answer = createAnswers(deps, deps.limits.messageText);
  return (question, room) => {
    // People of an external network have no quota.
    if (question.external || !mayMention(question.content)) return;
    const over = deps.begin();
    askMentioned(deps, answer, { question, room })
      .catch((cause: unknown) => deps.log.warn("ai.answer_lost", { code: TelexError.from(cause).code }))
      .finally(over);
  };
}
