import type { MessageView, SegmentInput } from "@telex/core";
import { messagesContract } from "@telex/core/contract";
import type { ChannelEvent, ChannelQuery } from "@telex/ws/client";
import type { Random } from "@telex/conformance/testing";
import { at, parse } from "test-support/json";
import type { Life } from "../support/life.ts";
import { codeOf, openSocket, type Socket } from "../support/socket.ts";
import { count, makeWord, pick, type Room, type Unanswered, whileAlive, type World } from "../world.ts";

const view = messagesContract.history.output.shape.groupMessages.element;

/** The first word of a message of the tests. */
export const wordOf = ({ content }: Pick<MessageView, "content">): string =>
  String(at(parse(content), 0, "text", "text"));

type Told = (event: ChannelEvent<"rooms">) => void;

function open({ url }: Life, token: string, query: ChannelQuery<"rooms">, told: Told): Promise<Socket<"rooms"> | null> {
  return openSocket({ url, token, channel: "rooms", query, onEvent: told });
}

/** Mirrored messages are durable, and arrive in the order of their ids in each room. */
function createMirror(world: World): (event: ChannelEvent<"rooms">) => MessageView | null {
  const last = new Map<number, number>();
  return ({ type, data }) => {
    if (type !== "GroupMessage") return (world.problems.push(`room socket: ${type}`), null);
    const message = view.parse(data);
    const before = last.get(message.groupId) ?? 0;
    if (message.messageId <= before) world.problems.push(`room socket: ${message.messageId} came after ${before}`);
    last.set(message.groupId, message.messageId);
    const room = world.rooms.find(({ groupId }) => groupId === message.groupId);
    world.problems.push(...(room?.texts.tell({ id: message.messageId, word: wordOf(message) }) ?? ["an unknown room"]));
    return message;
  };
}

/** Sometimes attaches a file of the sender. */
function fileSegments(world: World, who: "alice" | "bob", random: Random): SegmentInput[] {
  const files = [...world.files.values()].filter(({ owner, stored }) => owner === who && stored.certain === true);
  if (files.length === 0 || random.chance(0.6)) return [];
  const { md5, isImage } = pick(random, files);
  if (isImage) return [{ type: "image", data: { file_id: md5 } }];
  return [{ type: "file", data: { file_id: md5, name: `${md5}.bin` } }];
}

interface Speaker {
  readonly world: World;
  readonly life: Life;
  readonly socket: Socket<"rooms">;
}

async function say(
  { world, life, socket }: Speaker,
  { to, word, nonce }: { to: Room; word: string; nonce?: string },
  files: readonly SegmentInput[],
): Promise<void> {
  to.texts.try(word);
  const { groupId, groupType } = to;
  const message: SegmentInput[] = [{ type: "text", data: { text: word } }, ...files];
  const fields = { groupId, groupType, message, ...(nonce !== undefined && { nonce }) };
  const code = await codeOf(socket.call("sendGroupMessage", fields));
  const done = code === 200;
  const kind = nonce === undefined ? "sendGroupMessage" : "sendGroupMessage with a nonce";
  count(world, life, kind, done ? { kind: "done", value: null } : { kind: "unknown" });
  if (done) world.problems.push(...to.texts.acknowledge(word));
  else if (code !== null) world.problems.push(`sendGroupMessage: ${code}`);
  else if (nonce !== undefined && files.length === 0) world.unanswered.frames.push({ to, word, nonce });
}

async function speakOne(speaker: Speaker, who: "alice" | "bob", random: Random): Promise<void> {
  const { world } = speaker;
  const to = pick(random, world.rooms);
  const files = fileSegments(world, who, random);
  const word = makeWord(world, `你好 ${who}`);
  if (random.chance(0.5)) return await say(speaker, { to, word }, files);
  const text = { to, word, nonce: `nonce-${world.words}` };
  await say(speaker, text, files);
  if (random.chance(0.3)) await say(speaker, text, files);
}

async function repeatAll(speaker: Speaker, who: "alice" | "bob"): Promise<void> {
  const { world } = speaker;
  const mine = (frame: Unanswered<Room>): boolean => frame.word.includes(who);
  const all = world.unanswered.frames.splice(0);
  world.unanswered.frames.push(...all.filter((frame) => !mine(frame)));
  for (const frame of all.filter(mine)) await say(speaker, frame, []);
}

/** Sends several commands of one user simultaneously over one connection. */
async function speak(world: World, life: Life, who: "alice" | "bob", random: Random): Promise<void> {
  const mirror = createMirror(world);
  const socket = await open(life, world[who].token, {}, (frame) => void mirror(frame));
  if (socket === null) return;
  const speaker = { world, life, socket };
  await repeatAll(speaker, who);
  await Promise.all(
    [0, 1, 2].map(async (number) => {
      const own = random.fork(number);
      await whileAlive(life, own, () => speakOne(speaker, who, own));
    }),
  );
  await socket.ended;
}

/** Resumes from the last seen id, as a client that stores only one id does. */
function readOn(world: World, life: Life, told: () => void): Promise<Socket<"rooms"> | null> {
  const seen = world.rooms.flatMap(({ from, read }) => [from, ...read.keys()]);
  const mirror = createMirror(world);
  return open(life, world.bob.token, { echo: "1", since: String(Math.max(...seen)) }, (frame) => {
    const message = mirror(frame);
    const room = world.rooms.find(({ groupId }) => groupId === message?.groupId);
    if (message !== null) room?.read.set(message.messageId, wordOf(message));
    told();
  });
}

/** At the end, sends a last message to every room, and reads until all of them have arrived. */
export async function readToTheEnd(world: World, life: Life): Promise<void> {
  const over = Promise.withResolvers<void>();
  const isRead = ({ read }: Room): boolean => [...read.values()].includes("the last word");
  const socket = await open(life, world.alice.token, {}, () => undefined);
  if (socket === null) throw new Error("The server takes no socket.");
  for (const to of world.rooms) await say({ world, life, socket }, { to, word: "the last word" }, []);
  await readOn(world, life, () => world.rooms.every(isRead) && over.resolve());
  await over.promise;
}

/** Two users talk in all rooms, and one of them also reads with `since` over another connection. */
export async function driveRooms(world: World, life: Life, random: Random): Promise<void> {
  await Promise.all([
    speak(world, life, "alice", random.fork(1)),
    speak(world, life, "bob", random.fork(2)),
    readOn(world, life, () => undefined).then((socket) => socket?.ended),
  ]);
}
