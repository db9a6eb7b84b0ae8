import { setTimeout as delay } from "node:timers/promises";
import { at, parse } from "test-support/json";
import type { Random } from "@telex/conformance/testing";

/** A message in the network. */
export interface Shown {
  readonly id: number;
  readonly group: string;
  readonly text: string;
  /** Unix seconds. */
  readonly time: number;
}

/** The number of its own messages that a bot repeats after it has connected, because the responses to them may be lost. */
const repeatedCount = 60;

/** A bot with its network, which outlives the servers. It speaks OneBot 11, and connects again whenever its connection ends. */
export class Bot {
  readonly messages: Shown[] = [];
  readonly #account: number;
  readonly #url: string;
  readonly #random: Random;
  #isEnded = false;
  #socket: WebSocket | null = null;

  constructor({ account, url, random }: { readonly account: number; readonly url: string; readonly random: Random }) {
    this.#account = account;
    this.#url = url;
    this.#random = random;
    void this.#keep();
  }

  end(): void {
    this.#isEnded = true;
    this.#socket?.close();
  }

  /** Shows its latest own messages, as bots do after they have connected. */
  showAgain(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    for (const message of this.messages.slice(-repeatedCount)) socket.send(JSON.stringify(this.#eventOf(message)));
  }

  async #keep(): Promise<void> {
    while (!this.#isEnded) {
      const socket = new WebSocket(this.#url);
      this.#socket = socket;
      socket.addEventListener("message", ({ data }) => void this.#respond(socket, String(data)));
      socket.addEventListener("open", () => {
        socket.send(JSON.stringify({ ...this.#base("meta_event"), meta_event_type: "lifecycle", sub_type: "connect" }));
        setTimeout(() => this.showAgain(), 500);
      });
      await new Promise((resolve) => {
        socket.addEventListener("close", resolve);
        socket.addEventListener("error", resolve);
      });
      await delay(100);
    }
  }

  #base(type: string) {
    return { time: Math.floor(Date.now() / 1000), self_id: this.#account, post_type: type };
  }

  #eventOf({ id, group, text, time }: Shown) {
    return {
      ...this.#base("message_sent"),
      time,
      message_type: "group",
      sub_type: "normal",
      message_id: id,
      group_id: Number(group),
      user_id: this.#account,
      sender: { user_id: this.#account, nickname: "bot" },
      message: [{ type: "text", data: { text } }],
    };
  }

  async #respond(socket: WebSocket, frame: string): Promise<void> {
    const request = parse(frame);
    const action = at(request, "action");
    const data = action === "send_group_msg" ? this.#take(request) : this.#describe(String(action));
    await delay(this.#random.next() * 30);
    const failed = { status: "failed", retcode: 1404, data: null };
    const response = data === null ? failed : { status: "ok", retcode: 0, data };
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ ...response, echo: at(request, "echo") }));
  }

  #take(request: unknown): object {
    const text = String(at(request, "params", "message", 0, "data", "text"));
    const group = String(at(request, "params", "group_id"));
    const message = {
      id: this.#account * 1_000_000 + this.messages.length + 1,
      group,
      text,
      time: Math.floor(Date.now() / 1000),
    };
    this.messages.push(message);
    return { message_id: message.id };
  }

  #describe(action: string): object | null {
    if (action === "get_status") return { online: true, good: true };
    if (action === "get_login_info") return { user_id: this.#account, nickname: "bot" };
    return action === "get_version_info" ? { app_name: "kills", app_version: "1", protocol_version: "v11" } : null;
  }
}
