import { listAt, at } from "test-support/json";
import { anything, type Api, createApi, type Fields, valueOf } from "./api.ts";
import { makeBytes, md5Of } from "./files.ts";
import { codeOf, openSocket } from "./socket.ts";
import { paths } from "./paths.ts";
import { addRoom, addUser } from "./new-world.ts";
import { createRandom } from "@telex/conformance/testing";
import type { User } from "../world.ts";

/** A data folder with the records that the calls need. */
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

/** Calls to a server on a {@link Stage}, each with a short description of its outcome. */
export interface Calls {
  /** Creates one of each record. */
  prepare(): Promise<void>;
  /** Every call that writes, by name. */
  readonly writes: Readonly<Record<string, () => Promise<string>>>;
  /** Every call that reads, by name. */
  readonly reads: Readonly<Record<string, () => Promise<string>>>;
  /** The whole visible state, for comparisons. */
  snapshot(): Promise<unknown>;
  /** The statuses of `/healthz` and `/readyz`. */
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

type Call = () => Promise<string>;

/** REST calls of one user, each with a short description of its outcome. */
function createTeller(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const send = async (path: string, body: string | FormData): Promise<string> => {
    const type = typeof body === "string" ? { "content-type": "application/json" } : {};
    return await tell(await fetch(`${url}${path}`, { method: "POST", headers: { ...headers, ...type }, body }));
  };
  return {
    get: (path: string, fields: Fields = {}): Call => {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      return async () => await tell(await fetch(`${url}${path}?${query.toString()}`, { headers }));
    },
    post:
      (path: string, fields: Fields): Call =>
      async () =>
        await send(path, JSON.stringify(fields)),
    upload: async (path: string, bytes: Uint8Array<ArrayBuffer>) => await send(path, form(bytes)),
  };
}

type Teller = ReturnType<typeof createTeller>;

const readsOf = ({ get }: Teller, { alice, groupId }: Stage): Calls["reads"] => ({
  devices: get(paths.devices),
  messages: get(paths.messages, { deviceId }),
  history: get(paths.history, { groupId, groupType: 1 }),
  userinfo: get(paths.userInfo),
  userId: get(paths.userId),
  quota: get(paths.quota),
  conversations: get(paths.conversations),
  download: get(`/download/${imageId}.png`),
  imagetotext: get("/api/generate/imagetotext", { file_id: imageId, col: 3 }),
  avatar: get("/api/avatar/get/personal", { id: alice.id }),
});

/** @param code returns the upload code that was issued before */
const writesOf = ({ get, post, upload }: Teller, say: Call, code: () => string): Calls["writes"] => ({
  register: post(paths.register, { deviceId: "another", name: "n" }),
  rename: post(paths.register, { deviceId, name: "other" }),
  send: post(paths.send, { deviceId, content: "three", nonce: "nonce-1" }),
  sync: post(paths.sync, { deviceId, content: "four" }),
  "poll with ack": get(paths.poll, { deviceId, ack: 1 }),
  upload: async () => await upload(paths.upload, makeBytes(createRandom(8), true)),
  generateCode: get(paths.code),
  "upload by code": async () => await upload(`${paths.uploadByCode}/${code()}`, makeBytes(createRandom(9), true)),
  chat: post(paths.chat, { content: "hello" }),
  sendGroupMessage: say,
  pair: post(paths.pair, { deviceId: "third", name: "n" }),
  unregister: post(paths.unregister, { deviceId }),
});

/** The whole state that a client of the stage can see. */
async function look(api: Api, { groupId }: Stage): Promise<unknown> {
  const value = async (path: string, fields: Fields = {}): Promise<unknown> =>
    valueOf(await api.get(path, fields, anything), path);
  const devices = listAt(await value(paths.devices)).map((device) => [at(device, "deviceId"), at(device, "name")]);
  return {
    devices,
    messages: devices.length === 0 ? [] : await value(paths.messages, { deviceId }),
    history: await value(paths.history, { groupId, groupType: 1 }),
    quota: await value(paths.quota),
    conversations: await value(paths.conversations),
  };
}

/** Opens a socket of a stage, and makes the calls. */
export async function createCalls(url: string, stage: Stage): Promise<Calls> {
  const { alice, groupId } = stage;
  const api = createApi(url, alice.token);
  const room = await openSocket({ url, token: alice.token, channel: "rooms" });
  if (room === null) throw new Error("The server takes no socket.");
  const teller = createTeller(url, alice.token);
  const say = async (message: string): Promise<string> =>
    `${(await codeOf(room.call("sendGroupMessage", { groupId, groupType: 1, message, nonce: "nonce-2" }))) ?? "closed"}`;
  let code = "";
  return {
    async prepare() {
      const post = async (path: string, fields: Fields): Promise<unknown> =>
        valueOf(await api.post(path, { deviceId, ...fields }, anything), path);
      await post(paths.register, { name: "printer" });
      for (const content of ["one", "two"]) await post(paths.send, { content });
      valueOf(await api.upload(paths.upload, image, anything), "upload");
      const message = [{ type: "image" as const, data: { file_id: imageId } }];
      await codeOf(room.call("sendGroupMessage", { groupId, groupType: 1, message }));
      code = String(valueOf(await api.get(paths.code, { storageId: "crash" }, anything), "code"));
    },
    writes: writesOf(
      teller,
      async () => await say("hello"),
      () => code,
    ),
    reads: readsOf(teller, stage),
    snapshot: async () => await look(api, stage),
    async health() {
      const answers = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(`${url}${path}`)));
      return answers.map(({ status }) => status);
    },
  };
}

/** The outcome of each call, by name. */
export async function tellAll(calls: Readonly<Record<string, () => Promise<string>>>): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) told[name] = await call();
  return told;
}

/** True if every call has this outcome. */
export const allSay = (calls: Readonly<Record<string, unknown>>, answer: string): Record<string, string> =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, answer]));
