import { listAt, at } from "../../test/json.ts";
import { createApi, type Fields, valueOf, anything } from "./api.ts";
import { makeBytes, md5Of } from "./files.ts";
import { type Socket, openSocket } from "./socket.ts";
import { paths } from "./paths.ts";
import { addRoom, addUser } from "./new-world.ts";
import { createRandom } from "../../src/simulate/random.ts";
import type { User } from "../world.ts";

/** A data folder with a little of everything in it, of which a server can be asked. */
export interface Stage {
  readonly data: string;
  readonly alice: User;
  readonly bob: User;
  readonly groupId: number;
}

/** Adds two users and their room. */
export async function setStage(data: string): Promise<Stage> {
  const alice = await addUser(data, "alice");
  const bob = await addUser(data, "bob");
  return { data, alice, bob, groupId: await addRoom(data, 1, [alice, bob]) };
}

const random = createRandom(7);
const image = makeBytes(random, true);
const imageId = md5Of(image);
const deviceId = "printer";

/** Calls to a server on a {@link Stage}, each told in a few words. */
export interface Calls {
  /** Puts a little of everything there. */
  prepare(): Promise<void>;
  /** Every call that writes, by name. */
  readonly writes: Readonly<Record<string, () => Promise<string>>>;
  /** Every call that reads, by name. */
  readonly reads: Readonly<Record<string, () => Promise<string>>>;
  /** All that a client can see, to be compared. */
  snapshot(): Promise<unknown>;
  /** What `/healthz` and `/readyz` say. */
  health(): Promise<readonly number[]>;
}

/** `200`, or `503 storage_full, later`. */
async function tell(response: Response): Promise<string> {
  const body = await response.text();
  if (response.status === 200) return "200";
  const retry = response.headers.has("retry-after") ? ", later" : "";
  return `${response.status} ${String(at(JSON.parse(body), "data", "error"))}${retry}`;
}

function form(bytes: Uint8Array<ArrayBuffer>): FormData {
  const body = new FormData();
  body.set("file", new Blob([bytes]), "file.bin");
  return body;
}

const ask = async (socket: Socket, command: string, fields: Readonly<Record<string, unknown>>): Promise<string> => {
  const answer = await socket.ask(command, fields);
  return answer === null ? "closed" : `${answer.type} ${answer.code}`;
};

/** Opens the sockets of a stage, and makes the calls. */
export async function createCalls(url: string, { alice, bob, groupId }: Stage): Promise<Calls> {
  const api = createApi(url, alice.token);
  const ws = url.replace("http", "ws");
  const authorization = `Bearer ${alice.token}`;
  const room = await openSocket(`${ws}${paths.roomSocket}/${alice.token}`, () => undefined);
  let code = "";
  const get =
    (path: string, fields: Fields = {}) =>
    async (): Promise<string> => {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      return await tell(await fetch(`${url}${path}?${query.toString()}`, { headers: { authorization } }));
    };
  const send = async (path: string, body: string | FormData): Promise<string> => {
    const type = typeof body === "string" ? { "content-type": "application/json" } : {};
    return await tell(await fetch(`${url}${path}`, { method: "POST", headers: { authorization, ...type }, body }));
  };
  const post = (path: string, fields: Readonly<Record<string, unknown>>) => async () =>
    await send(path, JSON.stringify(fields));
  if (room === null) throw new Error("The server takes no socket.");
  const roomKey = { groupId, groupType: 1 };
  const reads = {
    devices: get(paths.devices),
    messages: get(paths.messages, { deviceId }),
    history: get(paths.history, roomKey),
    userinfo: get(paths.userInfo),
    userId: get(paths.userId),
    quota: get(paths.quota),
    conversations: get(paths.conversations),
    download: get(`/download/${imageId}.png`),
    imagetotext: get("/api/generate/imagetotext", { file_id: imageId, col: 3 }),
    avatar: get("/api/avatar/get/personal", { id: alice.id }),
  };
  const value = async (path: string, fields: Fields = {}): Promise<unknown> =>
    valueOf(await api.get(path, fields, anything), path);
  return {
    async prepare() {
      for (const fields of [{ name: "n" }, { name: "printer" }])
        valueOf(await api.post(paths.register, { deviceId, ...fields }, anything), "register");
      for (const content of ["one", "two"])
        valueOf(await api.post(paths.send, { deviceId, content }, anything), "send");
      valueOf(await api.upload(paths.upload, image, anything), "upload");
      await room.ask("sendGroupMessage", { ...roomKey, message: [{ type: "image", data: { file_id: imageId } }] });
      code = String(valueOf(await api.get(paths.code, { storageId: "crash" }, anything), "code"));
    },
    writes: {
      register: post(paths.register, { deviceId: "another", name: "n" }),
      rename: post(paths.register, { deviceId, name: "other" }),
      send: post(paths.send, { deviceId, content: "three", nonce: "nonce-1" }),
      sync: post(paths.sync, { deviceId, content: "four" }),
      "poll with ack": get(paths.poll, { deviceId, ack: 1 }),
      upload: async () => await send(paths.upload, form(makeBytes(createRandom(8), true))),
      generateCode: get(paths.code),
      "upload by code": async () => await send(`${paths.uploadByCode}/${code}`, form(makeBytes(createRandom(9), true))),
      chat: post(paths.chat, { content: "hello" }),
      sendGroupMessage: async () =>
        await ask(room, "sendGroupMessage", { ...roomKey, message: "hello", nonce: "nonce-2" }),
      pair: post("/external/api/v1/teleprinter/pair", { deviceId: "third", name: "n" }),
      unregister: post(paths.unregister, { deviceId }),
    },
    reads,
    async snapshot() {
      const devices = listAt(await value(paths.devices)).map((device) => [at(device, "deviceId"), at(device, "name")]);
      return {
        devices,
        messages: devices.length === 0 ? [] : await value(paths.messages, { deviceId: String(devices.flat()[0]) }),
        history: await value(paths.history, roomKey),
        quota: await value(paths.quota),
        conversations: await value(paths.conversations),
        room: (await openSocket(`${ws}${paths.roomSocket}/${bob.token}`, () => undefined)) !== null,
      };
    },
    async health() {
      const answers = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(`${url}${path}`)));
      return answers.map(({ status }) => status);
    },
  };
}

/** What each call says, by its name. */
export async function tellAll(calls: Readonly<Record<string, () => Promise<string>>>): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) told[name] = await call();
  return told;
}

/** The same answer from every call. */
export const allSay = (calls: Readonly<Record<string, unknown>>, answer: string): Record<string, string> =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, answer]));
