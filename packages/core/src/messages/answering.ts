import { routeOf, type SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { keepReferences, type RoomSource, tellRoom, type Told } from "@telex/transcripts";
import { type AnswerRequest, type AnswersDeps, createAnswers, type Listen, questionAbout } from "../ai/answers.ts";
import type { GroupRecord, Room } from "../records/groups.ts";
import type { UserRecord } from "../records/users.ts";
import type { SegmentInput } from "./contract.ts";
import { mayMention, type Mentionable, mentionedIn } from "./mentions.ts";
import { readContent } from "../records/content.ts";
import { toRoomMessage } from "./room-source.ts";
import type { MessagesLimits } from "./limits.ts";
import type { MessageStore } from "./store.ts";
import { extrasOf, type MessageRecord } from "../records/messages.ts";
import type { MessageTools } from "../records/tool-use.ts";

export interface RoomAnsweringDeps extends AnswersDeps {
  readonly store: Pick<MessageStore, "findMessage">;
  /** Reads a room for a model. */
  readonly rooms: (groupId: number) => RoomSource;
  readonly listModels: () => Promise<readonly UserRecord[]>;
  readonly limits: Pick<SharedLimits, "messageText"> & Pick<MessagesLimits, "roomTokens">;
  readonly send: (
    userId: number,
    group: GroupRecord,
    message: SegmentInput[],
    tools?: MessageTools,
  ) => Promise<unknown>;
}

const isBy = ({ external, userId }: MessageRecord, user: number): boolean => !external && userId === String(user);

/** The prompt for a model. Null if the question was recalled, because the model must not read it. */
async function listen(
  { store, rooms, limits: { roomTokens } }: RoomAnsweringDeps,
  { userId, nickname }: UserRecord,
  { question, room: { group } }: Asked,
  { model: reader, maxOutputTokens }: Parameters<Listen>[0],
): Promise<Told | null> {
  const stored = await store.findMessage(question.groupId, question.id);
  if (stored?.content !== question.content) return null;
  const self = { name: nickname, userId };
  // People of an external network see no links.
  const hasReferences = routeOf(group.groupType) === "store";
  const ask = { room: group.name, self, question: toRoomMessage(question), hasReferences };
  return tellRoom(rooms(question.groupId), ask, { reader, maxOutputTokens, roomTokens });
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

/** The answer as a message that quotes the question. It may refer only to messages that the model has read. */
const answerTo = ({ question }: Asked, text: string, told: Told | null): SegmentInput[] => [
  { type: "reply", data: { messageId: question.id } },
  { type: "text", data: { text: keepReferences(text, told?.ids ?? new Set()) } },
];

/** False for a message of a program: the person in whose name it was written does not see the question in time. */
function canAsk(question: MessageRecord): boolean {
  const { isPosted, canAnswer } = extrasOf(question);
  return isPosted !== true && canAnswer !== false;
}

function requestTo(deps: RoomAnsweringDeps, user: UserRecord, asked: Asked): AnswerRequest {
  const { question, room } = asked;
  let told: Told | null = null;
  const send: AnswerRequest["send"] = (text, uses) =>
    deps.send(
      user.userId,
      room.group,
      answerTo(asked, text, told),
      uses.length === 0 ? undefined : { userId: question.userId, calls: [...uses] },
    );
  return {
    place: `${question.groupId}/${user.userId}`,
    asker: Number(question.userId),
    model: user.ai ?? "",
    async listen(chosen) {
      told = await listen(deps, user, asked, chosen);
      return told?.messages ?? null;
    },
    send,
    hands: { place: "room", ...(canAsk(question) && { ask: (use) => send(questionAbout(use), [use]) }) },
  };
}

async function askMentioned(
  deps: RoomAnsweringDeps,
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
export function createRoomAnswering(deps: RoomAnsweringDeps): (question: MessageRecord, room: Room) => void {
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
