import { readFile } from "node:fs/promises";
import { type Client, createClient } from "@telex/http/client";
import { type Clock, operator, systemClock } from "@telex/core";
import { createAccountClient } from "@telex/auth-server/client";
import type { TestServer } from "./server.ts";

/** The time of the server and the browser. It is fixed, so that screenshots of an unchanged page are identical. */
export const now = Date.parse("2026-11-23T17:52:00Z");
export const clock: Clock = { ...systemClock, now: () => now };

/** A person with an account. */
export interface Somebody {
  readonly userId: number;
  readonly token: string;
  readonly client: Client;
}

async function addPerson(server: TestServer, username: string, nickname: string): Promise<Somebody> {
  const { members } = server.auth.services;
  const password = `${username}'s password`;
  const { userId } = await members.open({ user: { nickname }, username, password, role: null });
  const { token } = await server.issueFor(userId);
  return { userId, token, client: createClient({ url: server.url, token }) };
}

const say = (from: Somebody, groupId: number, message: string) =>
  from.client.messages.send({ groupId, groupType: 1, message });

const golden = new URL("../../image-text/test/golden/baseline.jpg", import.meta.url);

/** Files of each kind: one that a room uses, and one with a link. */
async function furnishFiles(person: Somebody, groupId: number): Promise<void> {
  const { bucket, messages } = person.client;
  const upload = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    bucket.upload({ file: new File([content], name) });
  await upload("rehearsal 2026-11-19.ogg", "OggS\0\u0002OpusHead");
  await upload("seeds-spring.csv", "name,weeks\ntomato,7\n");
  const map = await upload("North path, map 2026.pdf", "%PDF-1.7\n");
  await upload("IMG_2041.jpg", new Uint8Array(await readFile(golden)));
  const { file_id } = await upload("my notes 笔记.txt", "Milk, oats, two lemons.");
  await bucket.shareFile({ md5: file_id });
  const message = [{ type: "file" as const, data: { file_id: map.file_id, name: map.name } }];
  await messages.send({ groupId, groupType: 1, message });
}

/** Devices, and texts in each state. */
async function furnishDevices({ client: { teleprinter } }: Somebody): Promise<void> {
  const deviceId = "kitchen-1";
  await teleprinter.register({ deviceId: "kitchen-2", name: "Kitchen printer", tags: ["kitchen"] });
  await teleprinter.register({ deviceId: "lab-07", name: "Lab label writer", tags: ["lab"] });
  await teleprinter.heartbeat({ deviceId: "lab-07", fault: "paper out" });
  await teleprinter.register({ deviceId, name: "Kitchen printer", tags: ["kitchen", "paper"] });
  await teleprinter.heartbeat({ deviceId, transport: "mqtt", program: "telex device print 1.4.0", can: ["cut", "qr"] });
  await teleprinter.send({ deviceId, content: "Milk, oats, two lemons.", title: "Shopping" });
  const [first] = await teleprinter.poll({ deviceId });
  if (first !== undefined) await teleprinter.poll({ deviceId, ack: first.id });
  await teleprinter.sync({ deviceId, content: "OUT OF LEMONS. GOT LIMES." });
  const given = await teleprinter.send({ deviceId, content: "Too wide for this paper", title: "A table" });
  await teleprinter.poll({ deviceId, acks: String(given.id), order: "priority" });
  await teleprinter.send({ deviceId, content: "七点在湖边见。Lake at seven!", priority: 5, life: 3600 });
  await teleprinter.send({ deviceId, content: "And the blue blanket, please." });
  await teleprinter.send({
    deviceId,
    content: "Tea is ready.",
    title: "Tea",
    at: new Date(now + 86_400_000).toISOString(),
  });
}

/** Questions whose words are found in titles, in replies, and in both. The built-in model repeats each question. */
async function furnishChats({ telex }: TestServer, { token }: Somebody): Promise<void> {
  const asks = [
    ["What grows beside a lake?", "Reeds, alders and willows like wet feet. Which of them stands wind from the water?"],
    ["北京烤鸭 for eight people", "How long does a duck rest before it is carved? 湖边 there is only a camping stove."],
    ["Plan a weekend", "Two days at the lake with a stove, tea and a blanket. What is missing from this list?"],
  ] as const;
  const caller = await telex.authenticate(token);
  for (const [begins, content] of asks) {
    let conversationId: number | null = null;
    for (const asked of [begins, content])
      for await (const event of await telex.ai.chat(caller, { content: asked, conversationId }))
        ({ conversationId } = event);
  }
}

/** People, rooms and messages. */
export async function furnish(server: TestServer) {
  const alice = await addPerson(server, "alice", "alice");
  const [bob, carol, lin] = [
    await addPerson(server, "bob", "bob"),
    await addPerson(server, "carol", "carol"),
    await addPerson(server, "lin", "林小满"),
  ];
  await furnishDevices(alice);
  const groups = createAccountClient({ url: server.url, token: alice.token }).groups;
  const others = [bob, carol, lin].map(({ userId }) => userId);
  const { groupId } = await groups.create({
    name: "茶馆 Teahouse",
    topic: "Walks, tea and what the printers say.",
    members: others,
  });
  const circle = await groups.create({ name: "Reading circle", members: others });
  await furnishFiles(alice, circle.groupId);
  await furnishChats(server, alice);
  const chat = await groups.create({ userId: bob.userId });
  await bob.client.messages.send({ groupId: chat.groupId, groupType: 2, message: "See you there" });
  await say(bob, groupId, "Has anybody been up at the lake yet? I have not seen it since they closed the north path.");
  await say(bob, groupId, "I could bring the stove and tea.");
  await say(alice, groupId, "Yesterday. 我在湖边看日落，很美。");
  await groups.amendMembers({ groupId, roles: [{ userId: bob.userId, role: "moderator" }] });
  await say(carol, groupId, "The lake, at seven? This prints the picture in the kitchen:");
  await say(carol, groupId, "```sh\ntelex picture print lake.jpg --device kitchen-1 --width 42 --style shades\n```");
  await say(
    bob,
    groupId,
    "Seven is good. The last bus back is at 21:40, see https://bus.example.org/lines/7 and `line 7`.",
  );
  const history = await alice.client.messages.history({ groupId, groupType: 1, pageSize: 1 });
  const [last] = history.groupMessages;
  const { messages } = createAccountClient({ url: server.url, token: carol.token });
  if (last !== undefined) await messages.react({ groupId, messageId: last.messageId, emoji: "🎉" });
  return { alice, boss: await furnishAdmin(server), dora: await addPerson(server, "dora", "dora"), groupId };
}

/** An admin, and a suspended user. */
async function furnishAdmin(server: TestServer): Promise<Somebody> {
  const { users, tokens } = server.telex.operator;
  const { userId } = await addPerson(server, "boss", "boss");
  const { id } = await users.add(operator, { nickname: "Otto Ohnegleichen-Langername von und zu Oberammergau" });
  await users.amend(operator, { id, state: "suspended" });
  const { token } = await tokens.issue(operator, { userId, scopes: ["chat", "admin"] });
  return { userId, token, client: createClient({ url: server.url, token }) };
}

/** The people of a furnished server, and the room with messages. */
export type Furnished = Awaited<ReturnType<typeof furnish>>;
