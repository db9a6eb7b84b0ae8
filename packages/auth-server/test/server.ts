import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Bus, type ChatModel, operator, type Storage } from "@telex/core";
import { createManualClock, createScene, type ManualClock } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import type { createOneBot } from "@telex/bot-onebot";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { onTestFinished } from "vitest";
import { type AuthOptions, createAccessTokenVerifier, createAuth } from "../src/index.ts";

const api = "/external/api/v1";

/** The parts of a response. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly error: unknown;
  readonly headers: Headers;
  readonly text: string;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const data = text.startsWith("{") ? fieldOf(JSON.parse(text), "data") : undefined;
  return { status: response.status, data, error: fieldOf(data, "error"), headers: response.headers, text };
}

/** The differences of a request from one of a page of the server. */
export interface CallOptions {
  readonly method?: string;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser without pages: it keeps the cookie and sends the origin. */
export class Browser {
  readonly url: string;
  cookie = "";
  /** The cookie by which the server recognizes the browser. */
  #mark = "";

  constructor(url: string) {
    this.url = url;
  }

  async open(path: string, { method = "GET", body, form, headers = {} }: CallOptions = {}): Promise<Answer> {
    const sent = {
      origin: this.url,
      ...(this.cookie + this.#mark !== "" && { cookie: [this.cookie, this.#mark].filter(Boolean).join("; ") }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    };
    const content = form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form).toString();
    const init = {
      method,
      headers: sent,
      redirect: "manual" as const,
      ...(content !== undefined && { body: content }),
    };
    const answer = await readAnswer(await fetch(`${this.url}${path}`, init));
    const set = answer.headers.get("set-cookie");
    if (set?.startsWith("telex-browser") === true) this.#mark = set.split(";", 1)[0] ?? "";
    else if (set !== null) this.cookie = set.split(";", 1)[0]?.replace(/=$/, "") ?? "";
    if (this.cookie.endsWith("=") || !this.cookie.includes("=")) this.cookie = "";
    return answer;
  }

  get = async (path: string, options: CallOptions = {}): Promise<Answer> => await this.open(api + path, options);

  post = async (path: string, body: object = {}, options: CallOptions = {}): Promise<Answer> =>
    await this.open(api + path, { method: "POST", body, ...options });

  patch = async (path: string, body: object): Promise<Answer> => await this.open(api + path, { method: "PATCH", body });

  delete = async (path: string): Promise<Answer> => await this.open(api + path, { method: "DELETE" });
}

/** A text field of an answer. */
export const textOf = (answer: Answer, name: string): string => String(fieldOf(answer.data, name));

/** The secret of a link. */
export const secretOf = (url: string): string => url.split("#", 2)[1] ?? "";

type OneBot = ReturnType<typeof createOneBot>;

/** The differences of a server from the default one. */
interface StartOptions {
  readonly trustProxy?: number;
  /** The host by which browsers reach it. Default: an address, for which browsers have no passkeys. */
  readonly host?: "127.0.0.1" | "localhost";
  /** Models in addition to `echo`. */
  readonly models?: ReadonlyMap<string, ChatModel>;
  /** A network that bots connect to. Default: none. */
  readonly network?: OneBot;
  /** Another server of the same installation. Default: none. */
  readonly beside?: { readonly clock: ManualClock; readonly storage: Storage; readonly bus?: Bus };
}

/** A server with accounts on the memory store and a clock that stands still. */
export async function start(
  options: Partial<AuthOptions> = {},
  { trustProxy = 0, host = "127.0.0.1", beside, models, network }: StartOptions = {},
) {
  const clock = beside?.clock ?? createManualClock(Date.now());
  const storage = beside?.storage ?? createMemoryStorage({ clock });
  const otherTokens = createAccessTokenVerifier(storage, { clock });
  const scene = await createScene({
    otherTokens,
    storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    clock,
    ...(models && { models }),
    ...(beside?.bus && { bus: beside.bus }),
    plugins: network === undefined ? [] : [network.plugin],
  });
  const { telex } = scene;
  const late = { url: "http://localhost" };
  const auth = createAuth(telex, { storage, baseUrl: () => late.url, ...options });
  const { authenticator, routes, forms, mounts } = auth;
  const http = createHttp(telex, { authenticator, routes, forms, mounts, trustProxy });
  const ws = createWs(telex, { ...(network === undefined && { others: "refuse" }), authenticator, trustProxy });
  const serving = await serve({ telex, http, ws: network === undefined ? [ws] : [ws, network], port: 0 });
  onTestFinished(() => serving.close(0));
  const url = serving.url.replace("127.0.0.1", host);
  late.url = url;
  const browser = (): Browser => new Browser(url);
  const invite = async (groups: readonly number[] = [], uses = 1): Promise<string> => {
    const made = await auth.services.invitations.make(null, { groups, uses });
    return secretOf(made.url);
  };
  /** A browser in which a user with an account is signed in. */
  const member = async (username: string, role: "admin" | null = null) => {
    const one = browser();
    const joined = await one.post("/account/join", {
      secret: await invite(),
      username,
      password: `${username}'s password`,
    });
    const id = Number(fieldOf(joined.data, "id"));
    if (role !== null) await telex.operator.users.amend(operator, { id, role });
    return { id, browser: one, password: `${username}'s password` };
  };
  const room = async (): Promise<number> =>
    (await telex.operator.groups.add(operator, { groupType: 1, name: "Teahouse", members: [] })).groupId;
  return { ...scene, clock, storage, auth, url, browser, invite, member, room };
}
