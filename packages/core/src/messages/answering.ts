import { type AnswersDependencies, createAnswers, messagesShown, type Said } from "../ai/answers.ts";
import { TelexError } from "../errors/errors.ts";
import type { Room } from "../groups/rooms.ts";
import type { GroupRecord } from "../groups/store.ts";
import type { Limits } from "../options/limits.ts";
import type { UserRecord, UserStore } from "../users/store.ts";
import type { SegmentInput } from "./contract.ts";
import { mayMention, type Mentionable, mentionedIn } from "./mentions.ts";
import { plainText, readContent } from "./read.ts";
import type { MessageRecord, MessageStore } from "./store.ts";

/** What answering in rooms needs. */
export interface RoomAnsweringDependencies extends AnswersDependencies {
  readonly store: Pick<MessageStore, "page">;
  readonly listModels: UserStore["listModels"];
  readonly limits: Limits;
  /** Sends one message to a room as this user. */
  readonly send: (userId: number, group: GroupRecord, message: SegmentInput[]) => Promise<unknown>;
}

const isBy = ({ external, userId }: MessageRecord, user: number): boolean => !external && userId === String(user);

/** A model's own messages are its answers, everybody else's are questions. */
function toSaid(message: MessageRecord, model: number): Said {
  const content = plainText(readContent(message.content));
  if (isBy(message, model)) return { role: "assistant", content };
  return { role: "user", content: `${message.nickname}: ${content}` };
}

/** What was said in the room up to the question, which comes last, and what the model has said since. */
async function listen(
  { store }: RoomAnsweringDependencies,
  question: MessageRecord,
  model: number,
): Promise<readonly Said[]> {
  const { messages } = await store.page({ groupId: question.groupId, before: null, limit: messagesShown });
  const before = messages.filter((message) => message.id < question.id || isBy(message, model)).toReversed();
  return [...before, question].map((message) => toSaid(message, model));
}

type Member = Mentionable & { readonly user: UserRecord };

/** Those of these users who are in the room, under the names that they have there. */
const membersAmong = (users: readonly UserRecord[], { members }: Room): Member[] =>
  users.flatMap((user) => {
    const member = members.get(user.userId);
    if (member === undefined) return [];
    return [{ user, ext: user.ext, names: [user.nickname, ...(member.card === null ? [] : [member.card])] }];
  });

/**
 * Answers the messages of rooms in which people mention users that are models, as those users and under the quota of who
 * has asked. Called with each message that was stored; takes no time of its sender's.
 */
export function createRoomAnswering(deps: RoomAnsweringDependencies): (question: MessageRecord, room: Room) => void {
  const { listModels, send, begin, log } = deps;
  const answer = createAnswers(deps, deps.limits.messageText);
  const askMentioned = async (question: MessageRecord, room: Room): Promise<void> => {
    const models = await listModels();
    // What a model says is answered by none: two of them would never end.
    if (models.some(({ userId }) => isBy(question, userId))) return;
    for (const { user } of mentionedIn(readContent(question.content), membersAmong(models, room))) {
      const { userId, ai } = user;
      answer({
        place: `${question.groupId}/${userId}`,
        asker: Number(question.userId),
        model: ai ?? "",
        listen: () => listen(deps, question, userId),
        send: (text) =>
          send(userId, room.group, [
            { type: "reply", data: { messageId: question.id } },
            { type: "text", data: { text } },
          ]),
      });
    }
  };
  return (question, room) => {
    // Whoever is no user of ours has no quota.
    if (question.external || !mayMention(question.content)) return;
    const over = begin();
    askMentioned(question, room)
      .catch((cause: unknown) => log.warn("ai.answer_lost", { code: TelexError.from(cause).code }))
      .finally(over);
  };
}
