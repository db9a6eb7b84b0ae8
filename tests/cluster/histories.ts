import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { operator, type Telex } from "@telex/core";
import { contracts } from "@telex/core/contract";
import type { Random } from "@telex/conformance/testing";
import { at, parse } from "test-support/json";
import { anything, type Api, type Outcome, valueOf } from "../crash/support/api.ts";
import { paths } from "../crash/support/paths.ts";
import type { Answer, Call, Entry, History, Made, Model } from "./judge.ts";
import type { Place } from "./run.ts";

const { messages, teleprinter, rooms } = contracts;

/** A server, and whether the test has killed it: killed servers are not called. */
export interface Target extends Place {
  isDown: boolean;
}

/** A caller. */
export interface Caller {
  readonly id: number;
  readonly name: string;
  readonly token: string;
}

export async function addCaller(telex: Telex, nickname: string): Promise<Caller> {
  const { id } = await telex.operator.users.add(operator, { nickname });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  return { id, name: nickname, token };
}

/** The calls of one client on one record. */
export interface Client {
  readonly number: number;
  readonly random: Random;
  readonly who: Caller;
  /** The states of a record that it has seen. */
  readonly seen: Map<Recorded, number>;
  /** The word that it sent to each record last. */
  readonly sent: Map<Recorded, string>;
}

export const createClient = (number: number, who: Caller, random: Random): Client => ({
  number,
  random,
  who,
  seen: new Map(),
  sent: new Map(),
});

/** A record, and the calls on it. */
interface Recorded {
  readonly model: Model;
  readonly calls: Made[];
  /** Chooses a call of a client. */
  readonly next: (client: Client) => Call;
  /** Makes the call. */
  readonly make: (api: Api, call: Call) => Promise<Outcome<Answer>>;
}

const mapped = <From, To>(outcome: Outcome<From>, change: (value: From) => To): Outcome<To> =>
  outcome.kind === "done" ? { kind: "done", value: change(outcome.value) } : outcome;

let words = 0;

/** A new word, or sometimes the one that the client sent last: the same nonce, and so the same text. */
function wordOf(record: Recorded, { number, random, sent }: Client): string {
  const last = sent.get(record);
  if (last !== undefined && random.chance(0.2)) return last;
  const word = `${number}-${(words += 1)}`;
  sent.set(record, word);
  return word;
}

type Kind = Pick<Recorded, "make"> & {
  readonly model: Model;
  readonly choose: (client: Client, record: Recorded) => Call;
};

const nothing = (): Answer => ({});

/** Members send messages, with nonces, and read all of them. */
const roomOf = (groupId: number): Kind => ({
  model: "room",
  choose: (client, record) =>
    client.random.chance(0.5) ? { do: "send", word: wordOf(record, client) } : { do: "read" },
  async make(api, { do: action, word = "" }) {
    if (action === "send") {
      const message = { groupId, groupType: 1, message: word, nonce: word };
      const outcome = await api.post("/external/api/v1/im/sendGroupMessage", message, messages.send.output);
      return mapped(outcome, ({ messageId }) => ({ id: messageId }));
    }
    const page = { groupId, groupType: 1, pageSize: 100 };
    return mapped(await api.get(paths.history, page, messages.history.output), ({ groupMessages }) => ({
      entries: groupMessages.toReversed().map(({ id, content }): Entry => ({
        id: Number(id),
        word: String(at(parse(content), 0, "text", "text")),
      })),
    }));
  },
});

/** Texts are sent to a device, with nonces, and polled with acknowledgements. */
const queueOf = (deviceId: string): Kind => ({
  model: "queue",
  choose: (client, record) =>
    client.random.chance(0.5)
      ? { do: "send", word: wordOf(record, client) }
      : { do: "poll", id: client.random.chance(0.5) ? (client.seen.get(record) ?? 0) : 0 },
  async make(api, { do: action, word = "", id = 0 }) {
    if (action === "send") {
      const fields = { deviceId, content: word, nonce: word };
      return mapped(await api.post(paths.send, fields, teleprinter.send.output), (sent) => ({ id: sent.id }));
    }
    const outcome = await api.get(paths.poll, { deviceId, limit: 20, ack: id }, teleprinter.poll.output);
    return mapped(outcome, (texts) => ({ entries: texts.map((one) => ({ id: one.id, word: one.content })) }));
  },
});

/** A user marks a room as read, up to one of its messages, and reads the marker. */
const markerOf = (groupId: number, ids: readonly number[]): Kind => ({
  model: "marker",
  choose: ({ random }) =>
    random.chance(0.5) ? { do: "mark", id: ids[Math.floor(random.next() * ids.length)] ?? 0 } : { do: "read" },
  async make(api, { do: action, id = 0 }) {
    const path = `/external/api/v1/im/groups/${groupId}`;
    const outcome =
      action === "mark"
        ? await api.post(`${path}/read`, { messageId: id }, rooms.read.output)
        : await api.get(path, {}, rooms.find.output);
    return mapped<{ readonly readUpTo: unknown }, Answer>(outcome, ({ readUpTo }) => ({ id: Number(readUpTo) }));
  },
});

/** Clients upload different files with one code. */
const codeOf = (code: string): Kind => ({
  model: "code",
  choose: () => ({ do: "upload", word: String((words += 1)) }),
  async make(api) {
    const path = `${paths.uploadByCode}/${code}`;
    return mapped(await api.upload(path, randomBytes(16), anything), nothing);
  },
});

/** Users register one device, and give it back. */
const claimOf = (deviceId: string): Kind => ({
  model: "claim",
  choose: ({ random, who }) => ({ do: random.chance(0.5) ? "register" : "unregister", who: who.name }),
  async make(api, { do: action }) {
    const fields = action === "register" ? { deviceId, name: deviceId } : { deviceId };
    return mapped(await api.post(action === "register" ? paths.register : paths.unregister, fields, anything), nothing);
  },
});

/** The owner of a device renames it, and lists it. */
const nameOf = (deviceId: string): Kind => ({
  model: "name",
  choose: (client, record) =>
    client.random.chance(0.5) ? { do: "rename", word: wordOf(record, client) } : { do: "read" },
  async make(api, { do: action, word = "" }) {
    if (action === "rename") {
      const path = "/external/api/v1/teleprinter/rename";
      return mapped(await api.post(path, { deviceId, name: word }, anything), nothing);
    }
    const outcome = await api.get(paths.devices, {}, teleprinter.devices.output);
    const named = (devices: readonly { readonly deviceId: string; readonly name: string }[]): string =>
      devices.find((device) => device.deviceId === deviceId)?.name ?? "";
    return mapped(outcome, (devices) => ({ word: named(devices) }));
  },
});

/** @param before calls that were made before those of the clients */
function newRecord({ model, choose, make }: Kind, before: readonly Made[] = []): Recorded {
  const recorded: Recorded = { model, calls: [...before], make, next: (client) => choose(client, recorded) };
  return recorded;
}

const firstName = "first";
const firstNamed: Made = { do: "rename", word: firstName, client: 0, begun: 0, ended: 1, answer: {} };

/** Records that all callers use, and those that only their owner uses. */
export interface Records {
  readonly shared: readonly Recorded[];
  readonly own: readonly Recorded[];
  readonly codes: readonly Recorded[];
}

/** Creates the records for the calls of a round: one of each model, and some codes. */
export async function createRecords(
  telex: Telex,
  api: Api,
  callers: readonly Caller[],
  round: number,
): Promise<Records> {
  const people = await Promise.all(callers.map(({ token }) => telex.authenticate(token)));
  const [owner, other] = people;
  if (owner === undefined || other === undefined) throw new Error("Two people call.");
  const members = callers.map(({ id }) => id);
  const addRoom = (name: string) => telex.operator.groups.add(operator, { groupType: 1, name, members });
  const [talk, marked] = [await addRoom(`room ${round}`), await addRoom(`marked ${round}`)];
  const ids: number[] = [];
  for (let number = 0; number < 8; number += 1) {
    const message = { groupId: marked.groupId, groupType: 1, message: "hello" } as const;
    ids.push((await telex.messages.send(other, message)).messageId);
  }
  const named = async (name: string): Promise<string> => {
    const deviceId = `${name}-${round}`;
    await telex.teleprinter.register(owner, { deviceId, name: firstName });
    return deviceId;
  };
  const codes = Array.from({ length: 6 }, async () => {
    const code = valueOf(
      await api.get(paths.code, { storageId: "crash" }, contracts.bucket.generateCode.output),
      "code",
    );
    return newRecord(codeOf(code));
  });
  return {
    shared: [newRecord(roomOf(talk.groupId)), newRecord(claimOf(`claim-${round}`))],
    own: [
      newRecord(queueOf(await named("queue"))),
      newRecord(markerOf(marked.groupId, ids)),
      newRecord(nameOf(await named("name")), [firstNamed]),
    ],
    codes: await Promise.all(codes),
  };
}

const now = (): number => Math.round(performance.now() * 1000);

/** Makes one call, and records the answer. */
export async function callOnce(client: Client, recorded: Recorded, place: Place): Promise<void> {
  const call = recorded.next(client);
  const begun = now();
  const outcome = await recorded.make(place.api(client.who.token), call);
  const note = (answer: Answer | null): void =>
    void recorded.calls.push({ ...call, client: client.number, begun, ended: now(), answer });
  if (outcome.kind === "done") {
    const newest = outcome.value.entries?.at(-1)?.id;
    if (newest !== undefined) client.seen.set(recorded, newest);
    return note(outcome.value);
  }
  if (outcome.kind === "refused" && outcome.status < 500) return note({ error: outcome.error });
  // A read without an answer proves nothing.
  if (call.do !== "read") note(null);
  await delay(100);
}

/** Maximum calls of a client in a round: the judge searches for an order of all calls on a record. */
const callsOfClient = 36;

/** The clients, as indexes in the list of callers. */
const clients = [0, 0, 0, 0, 1, 1] as const;

/** All clients call the running servers. Returns the history of each record. */
export async function callAll(
  records: Records,
  {
    targets,
    callers,
    random,
  }: { readonly targets: readonly Target[]; readonly callers: readonly Caller[]; readonly random: Random },
): Promise<readonly History[]> {
  const { shared, own, codes } = records;
  const run = async (caller: number, number: number): Promise<void> => {
    const who = callers[caller];
    if (who === undefined) throw new Error("A caller is missing.");
    const client = createClient(number, who, random.fork(number));
    const choose = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(client.random.next() * items.length)];
    for (let made = 0; made < callsOfClient; made += 1) {
      const code = codes[Math.floor((made / callsOfClient) * codes.length)];
      const known = [...shared, ...(caller === 0 ? own : []), ...(code === undefined ? [] : [code])];
      const [recorded, target] = [choose(known), choose(targets.filter(({ isDown }) => !isDown))];
      if (recorded !== undefined && target !== undefined) await callOnce(client, recorded, target);
      else await delay(20);
    }
  };
  await Promise.all(clients.map(run));
  return [...shared, ...own, ...codes].map(({ model, calls }) => ({ model, calls }));
}
