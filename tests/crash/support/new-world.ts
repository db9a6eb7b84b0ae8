import { at, parse, textAt } from "test-support/json";
import { telex } from "test-support/command";
import { Deliveries } from "../model/deliveries.ts";
import { Ledger } from "../model/ledger.ts";
import { Possible } from "../model/possible.ts";
import type { Printer, Room, User, World } from "../world.ts";
import { anything, valueOf } from "./api.ts";
import { live } from "./life.ts";
import { paths } from "./paths.ts";
import { openSocket } from "./socket.ts";

/** Runs an operator's command that must succeed, and parses its output. */
export async function operate(folder: string, ...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await telex([...args, "--data", folder, "--json"]);
  if (code !== 0) throw new Error(`telex ${args.join(" ")}: ${stderr}`);
  return parse(stdout);
}

/** Adds a user with a token and a quota that no test uses up. */
export async function addUser(folder: string, nickname: string): Promise<User> {
  const id = Number(at(await operate(folder, "user", "add", nickname), "id"));
  const token = textAt(await operate(folder, "token", "issue", "--user", String(id), "--scope", "chat"), "token");
  await operate(
    folder,
    "quota",
    "set",
    "--user",
    String(id),
    "--unit",
    "count",
    "--max",
    "1000000",
    "--period",
    "monthly",
  );
  return { id, token };
}

/** Adds a room of two users. */
export async function addRoom(folder: string, groupType: number, members: readonly User[]): Promise<number> {
  const flags = members.flatMap(({ id }) => ["--member", String(id)]);
  const added = await operate(
    folder,
    "group",
    "add",
    "--type",
    String(groupType),
    "--name",
    `room of type ${groupType}`,
    ...flags,
  );
  return Number(at(added, "groupId"));
}

const modes = ["poll", "ack", "socket", "ackSocket", "mqtt", "mixed"] as const;

const newPrinter = (mode: Printer["mode"]): Printer => ({
  deviceId: `printer-${mode}`,
  mode,
  texts: new Ledger(`texts of printer-${mode}`),
  deliveries: new Deliveries(`printer-${mode}`),
});

/** The initial state: a message in a room, so that there is an id to resume from, and the printers. */
async function begin(folder: string, alice: User, bob: User, first: number): Promise<void> {
  const life = await live(folder, { alice: alice.token, bob: bob.token });
  for (const mode of modes) {
    const deviceId = `printer-${mode}`;
    valueOf(await life.apis.alice.post(paths.register, { deviceId, name: deviceId }, anything), "register");
  }
  const socket = await openSocket({ url: life.url, token: alice.token, channel: "rooms" });
  await socket?.call("sendGroupMessage", { groupId: first, groupType: 1, message: "first" });
  await life.kill();
}

/** Creates two users, three rooms and six printers in a folder. */
export async function createWorld(folder: string): Promise<World> {
  const alice = await addUser(folder, "爱丽丝");
  const bob = await addUser(folder, "bob");
  const ids: number[] = [];
  for (const type of [1, 1, 2]) ids.push(await addRoom(folder, type, [alice, bob]));
  await begin(folder, alice, bob, ids[0] ?? 0);
  const rooms = ids.map((groupId, index): Room => {
    const groupType = index === 2 ? 2 : 1;
    return { groupId, groupType, texts: new Ledger(`room ${groupId}`), read: new Map(), from: 1 };
  });
  rooms[0]?.texts.try("first");
  return {
    folder,
    alice,
    bob,
    rooms,
    printers: modes.map(newPrinter),
    registry: new Map(Array.from({ length: 12 }, (_, index) => [`device-${index}`, new Possible("absent")])),
    unanswered: { sends: [], syncs: [], frames: [], publishes: [] },
    codes: [],
    files: new Map(),
    replies: { answered: [], asked: 0, tokens: 0, questions: new Set() },
    tokens: new Map(),
    newUsers: new Map(),
    allocation: new Possible(1_000_000),
    problems: [],
    counts: new Map(),
    words: 0,
  };
}
