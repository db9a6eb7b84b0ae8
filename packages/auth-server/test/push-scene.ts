import { createECDH, createHmac, createDecipheriv, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ticks } from "@telex/conformance/testing";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { field, type Member, scene } from "./groups-scene.ts";

const payload = z.object({
  groupId: z.int().optional(),
  groupType: z.int().optional(),
  messageId: z.int().optional(),
  deviceId: z.string().optional(),
  event: z.string().optional(),
  minutes: z.int().optional(),
  count: z.int(),
  title: z.string(),
  body: z.string().optional(),
  url: z.string(),
});

const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac("sha256", key).update(Buffer.concat(parts)).digest();

/** The browser's part of RFC 8291 and RFC 8188, implemented from their texts, independently of the server's library. */
export class PushBrowser {
  readonly #curve = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  readonly keys: { readonly p256dh: string; readonly auth: string };

  constructor() {
    this.#curve.generateKeys();
    this.keys = { p256dh: this.#curve.getPublicKey("base64url"), auth: this.#auth.toString("base64url") };
  }

  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const theirs = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#curve.getPublicKey(), theirs, Buffer.of(1)]);
    const keying = hmac(hmac(this.#auth, this.#curve.computeSecret(theirs)), info);
    const pseudo = hmac(salt, keying);
    const key = hmac(pseudo, Buffer.from("Content-Encoding: aes128gcm\0\u0001")).subarray(0, 16);
    const nonce = hmac(pseudo, Buffer.from("Content-Encoding: nonce\0\u0001")).subarray(0, 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
  }
}

/** A request that the push service got. */
interface Pushed {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A push service on this machine. It accepts every notification by default. */
export async function startPushService() {
  const pushed: Pushed[] = [];
  const late: { answer: Answering } = { answer: (_request, response) => void response.writeHead(201).end() };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      pushed.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      late.answer(request, response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return { host, url: `http://${host}`, pushed, late };
}

type How = Parameters<typeof scene>;

/** Three people, a room of Alice and Bob, and a push service. */
export async function pushScene(options: How[0] = {}, start: How[1] = {}) {
  const service = await startPushService();
  const base = await scene({ pushAllow: [service.host], ...options }, start);
  const { alice, bob, clock } = base;
  const groupId = await base.create(alice, [bob]);
  const keys = new Map<string, PushBrowser>();
  let endpoints = 0;
  const subscribe = async (by: Member, more: object = {}) => {
    const browser = new PushBrowser();
    const path = `/push/${(endpoints += 1)}`;
    keys.set(path, browser);
    const body = { endpoint: service.url + path, keys: browser.keys, ...more };
    return { path, answer: await by.browser.post("/push/subscriptions", body) };
  };
  const say = async (by: Member, text: string, to = groupId, groupType = 1): Promise<number> => {
    const message = [{ type: "text", data: { text } }];
    const answer = await by.browser.post("/im/sendGroupMessage", { groupId: to, groupType, message });
    return Number(field(answer, "messageId"));
  };
  /** The notifications, once there are `count` of them. */
  const pushes = async (count: number) => {
    while (service.pushed.length < count) await ticks();
    await settled();
    return service.pushed.map(({ path, body }) => ({
      path,
      ...payload.parse(JSON.parse(keys.get(path)?.decrypt(body) ?? "")),
    }));
  };
  /** Waits until an unwanted notification would have arrived: a later one has reached another user. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await ticks();
  };
  return { ...base, service, groupId, subscribe, say, pushes, settled, keys, clock };
}
