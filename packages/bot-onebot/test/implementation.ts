import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readAll } from "node:stream/consumers";
import { type RawData, WebSocket } from "ws";
import { z } from "zod";

/** How the network behind the implementation treats what it is given. */
export type Mood = "take" | "echo" | "refuse" | "silent" | "offline";

/** An action as it came. */
export interface Seen {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly self?: unknown;
}

type Frame = Record<string, unknown>;

/** What differs between the versions in an implementation. */
interface Tongue {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly first: Frame;
  readonly sends: ReadonlySet<string>;
  state(isOnline: boolean): Frame;
  said(message: { id: string; text: string; room: string; user: string }): Frame;
  sent(id: string): unknown;
  answer(action: string, isOnline: boolean): unknown;
}

const request = z.object({
  action: z.string(),
  params: z.record(z.string(), z.unknown()),
  self: z.unknown().optional(),
  echo: z.string(),
});
/** What a message of the library `ws` holds. */
const textOfData = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : "");

const account = "9000";
const now = () => Math.floor(Date.now() / 1000);

const tongues: Readonly<Record<11 | 12, Tongue>> = {
  11: {
    // As NapCat sends them.
    headers: { "x-self-id": account, "x-client-role": "Universal", "user-agent": "OneBot/11" },
    protocols: [],
    first: { post_type: "meta_event", meta_event_type: "lifecycle", sub_type: "connect", self_id: 9000, time: now() },
    sends: new Set(["send_group_msg", "send_private_msg", "upload_group_file", "upload_private_file"]),
    state: (online) => ({
      post_type: "meta_event",
      meta_event_type: "heartbeat",
      interval: 30_000,
      status: { online, good: true },
      self_id: 9000,
      time: now(),
    }),
    said: ({ id, text, room, user }) => ({
      post_type: user === account ? "message_sent" : "message",
      message_type: "group",
      sub_type: "normal",
      message_id: Number(id),
      group_id: Number(room),
      user_id: Number(user),
      self_id: 9000,
      time: now(),
      message: [{ type: "text", data: { text } }],
      sender: { nickname: `n${user}`, card: "" },
    }),
    sent: (id) => ({ message_id: Number(id) }),
    answer: (action, online) =>
      ({
        get_status: { online, good: true },
        get_login_info: { user_id: 9000, nickname: "bot" },
        get_group_member_info: { card: "Card", nickname: "nick" },
      })[action],
  },
  12: {
    headers: { "user-agent": "OneBot/12 (qq) Test/1.0" },
    protocols: ["12.test"],
    first: { id: "e0", type: "meta", detail_type: "connect", sub_type: "", time: now(), version: { impl: "test" } },
    sends: new Set(["send_message"]),
    state: (online) => ({
      id: "e1",
      type: "meta",
      detail_type: "status_update",
      time: now(),
      status: { good: true, bots: [{ self: { platform: "qq", user_id: account }, online }] },
    }),
    said: ({ id, text, room, user }) => ({
      id: `e-${id}`,
      type: "message",
      detail_type: "group",
      sub_type: "",
      message_id: id,
      group_id: room,
      user_id: user,
      self: { platform: "qq", user_id: account },
      time: Date.now() / 1000,
      message: [{ type: "text", data: { text } }],
      alt_message: text,
    }),
    sent: (id) => ({ message_id: id, time: now() }),
    answer: (action, online) =>
      ({
        get_status: { good: true, bots: [{ self: { platform: "qq", user_id: account }, online }] },
        get_self_info: { user_id: account, user_name: "bot", user_displayname: "" },
        get_group_member_info: { user_name: "nick", user_displayname: "Card" },
        upload_file: { file_id: "f-1" },
      })[action],
  },
};

const textOf = ({ params }: Seen): string => {
  const { message } = params;
  if (!Array.isArray(message)) return "";
  return message.map((one: { data?: { text?: string } }) => one.data?.text ?? "").join("");
};

const echoed = z.object({ echo: z.string() });

interface WebOptions {
  readonly token: string;
  /** Where events are posted. */
  readonly events: string;
}

/** The HTTP side of an implementation. */
function createWeb(version: 11 | 12, take: (frame: string) => void) {
  const waiting = new Map<string, ServerResponse>();
  const posted: number[] = [];
  let options: WebOptions | null = null;
  let last = Promise.resolve();
  let count = 0;
  const post = async ({ events, token }: WebOptions, body: string): Promise<void> => {
    const signature = `sha1=${createHmac("sha1", token).update(body).digest("hex")}`;
    const proof = version === 11 ? { "x-signature": signature } : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", "x-self-id": account, ...proof };
    posted.push((await fetch(events, { method: "POST", headers, body })).status);
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(await readAll(incoming));
    const name = (incoming.url ?? "/").slice(1);
    if (incoming.headers.authorization !== `Bearer ${options?.token}`) return void response.writeHead(403).end();
    if ((version === 11) === (name === "")) return void response.writeHead(404).end();
    const echo = `w${(count += 1)}`;
    waiting.set(echo, response);
    const asked = version === 11 ? { action: name, params: body } : z.record(z.string(), z.unknown()).parse(body);
    take(JSON.stringify({ ...asked, echo }));
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  return {
    posted,
    async listen(given: WebOptions): Promise<string> {
      options = given;
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
    },
    /** Answers a request, or posts an event. False if this implementation does not speak HTTP. */
    tell(frame: unknown): boolean {
      const to = options;
      if (to === null) return false;
      const response = waiting.get(echoed.safeParse(frame).data?.echo ?? "");
      if (response === undefined) last = last.then(async () => post(to, JSON.stringify(frame))).catch(() => {});
      else response.setHeader("content-type", "application/json").end(JSON.stringify(frame));
      return true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An implementation of OneBot as a process of its own would be: it connects to Telex, and keeps what it was asked to do. */
export function createImplementation(version: 11 | 12) {
  const tongue = tongues[version];
  const seen: Seen[] = [];
  const asked: string[] = [];
  let mood: Mood = "take";
  let lastId = -2_147_302_767;
  let last: Frame | null = null;
  let socket: WebSocket | null = null;
  const web = createWeb(version, (frame) => take(frame));
  /** Answers of a test's own, by the name of the action; null for none. */
  const answers = new Map<string, (seen: Seen) => Frame | null>();
  const nextId = () => String((lastId += 1));

  const tell = (frame: unknown): void => {
    if (!web.tell(frame)) socket?.send(JSON.stringify(frame));
  };
  const send = (order: Seen, echo: unknown): void => {
    const id = nextId();
    if (mood === "refuse") return tell({ status: "failed", retcode: 1200, data: null, message: "rejected", echo });
    seen.push(order);
    const room = String(order.params["group_id"] ?? order.params["user_id"]);
    if (mood === "echo") tell(tongue.said({ id, text: textOf(order), room, user: account }));
    if (mood !== "silent") tell({ status: "ok", retcode: 0, data: tongue.sent(id), message: "", echo });
  };
  const take = (text: string): void => {
    const { echo, ...action } = request.parse(JSON.parse(text));
    asked.push(action.action);
    const own = answers.get(action.action);
    if (own !== undefined) {
      seen.push(action);
      const frame = own(action);
      if (frame !== null) tell({ ...frame, echo });
    } else if (tongue.sends.has(action.action)) send(action, echo);
    else tell({ status: "ok", retcode: 0, data: tongue.answer(action.action, mood !== "offline") ?? null, echo });
  };

  return {
    account,
    /** Messages and files, and what `answers` has answered. */
    seen,
    /** The names of all actions that have come. */
    asked,
    answers,
    /** The texts of the messages that the network has got. */
    texts: () => seen.filter(({ action }) => tongue.sends.has(action)).map(textOf),
    tell,
    async connect(url: string, { token = "", headers = {}, protocols = tongue.protocols } = {}): Promise<WebSocket> {
      // NapCat sends the header also without a token.
      const all = { ...tongue.headers, authorization: `Bearer ${token}`, ...headers };
      const opened = new WebSocket(url, [...protocols], { headers: all });
      socket = opened;
      opened.on("message", (data) => take(textOfData(data)));
      await once(opened, "open");
      tell(tongue.first);
      return opened;
    },
    /** Takes the connection of Telex: forward WebSocket. */
    adopt(opened: WebSocket): void {
      socket = opened;
      opened.on("message", (data) => take(textOfData(data)));
      tell(tongue.first);
    },
    /** Takes the actions of Telex as requests, and posts its events: HTTP and webhook. Returns its address. */
    async listen(options: WebOptions): Promise<string> {
      const address = await web.listen(options);
      tell(tongue.first);
      return address;
    },
    /** The status of the response to each event that was posted. */
    posted: web.posted,
    say(text: string, room = "500", user = "1001"): void {
      last = tongue.said({ id: nextId(), text, room, user });
      tell(last);
    },
    repeat: () => void (last !== null && tell(last)),
    behave(next: Mood): void {
      const wasOffline = mood === "offline";
      mood = next;
      if (next === "offline" || wasOffline) tell(tongue.state(next !== "offline"));
    },
    end() {
      socket?.terminate();
      web.close();
    },
  };
}

/** An implementation in a test. */
export type Implementation = ReturnType<typeof createImplementation>;
