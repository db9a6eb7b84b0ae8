import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";

/** One message of the group, as OneBot 11 has it. */
interface Message {
  readonly message_id: number;
  readonly user_id: number;
  readonly time: number;
  readonly sender: { readonly nickname: string; readonly card: string };
  readonly message: unknown;
}

const action = z.object({
  action: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  echo: z.unknown(),
});
const account = { user_id: 9000, nickname: "helper" };
const group_id = 20001;
const seconds = (): number => Math.floor(Date.now() / 1000);

/**
 * A bot that connects to Telex by OneBot 11, as NapCat does with a reverse WebSocket. Behind NapCat is a group of its network; behind this
 * bot is an array. What is in it can be asked for, also after the bot was away.
 */
export function createBot() {
  const group: Message[] = [];
  const people = new Map([[account.user_id, account.nickname]]);
  let socket: WebSocket | null = null;

  const add = (user_id: number, message: unknown): Message => {
    const sender = { nickname: people.get(user_id) ?? "", card: "" };
    const said = { message_id: group.length + 1, user_id, time: seconds(), sender, message };
    group.push(said);
    return said;
  };
  const actions: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
    get_status: () => ({ online: true, good: true }),
    get_login_info: () => account,
    get_group_member_list: () =>
      Array.from(people, ([user_id, nickname]) => ({ group_id, user_id, nickname, card: "" })),
    get_group_member_info: ({ user_id }) => ({ nickname: people.get(Number(user_id)) ?? "", card: "" }),
    get_group_msg_history: ({ count }) => ({ messages: group.slice(-Number(count ?? 20)) }),
    send_group_msg: ({ message }) => ({ message_id: add(account.user_id, message).message_id }),
  };
  const answer = (text: string): object => {
    const { action: name, params, echo } = action.parse(JSON.parse(text));
    const run = actions[name];
    if (run === undefined) return { status: "failed", retcode: 1404, data: null, message: "no such action", echo };
    return { status: "ok", retcode: 0, data: run(params), echo };
  };
  const tell = (event: object): void =>
    socket?.send(JSON.stringify({ self_id: account.user_id, time: seconds(), ...event }));
  return {
    /** The messages of the group, the oldest first. */
    group,
    /** A member sends a message to the group, whether the bot is connected or not. */
    say(user_id: number, nickname: string, text: string): void {
      people.set(user_id, nickname);
      const said = add(user_id, [{ type: "text", data: { text } }]);
      tell({ post_type: "message", message_type: "group", sub_type: "normal", group_id, ...said });
    },
    /** @param url of the server, such as `ws://127.0.0.1:3000` */
    async connect(url: string, token: string): Promise<void> {
      const headers = {
        authorization: `Bearer ${token}`,
        "x-self-id": String(account.user_id),
        "x-client-role": "Universal",
      };
      const opened = new WebSocket(`${url}/onebot/v11/ws`, { headers });
      opened.on("message", (data: Buffer) => opened.send(JSON.stringify(answer(data.toString()))));
      await once(opened, "open");
      socket = opened;
      tell({ post_type: "meta_event", meta_event_type: "lifecycle", sub_type: "connect" });
    },
    disconnect: (): void => socket?.terminate(),
  };
}

// `node bot.ts ws://127.0.0.1:3000 <token>`: each line of the input is said in the group.
if (import.meta.main) {
  const [url = "ws://127.0.0.1:3000", token = "a-secret-of-your-own"] = process.argv.slice(2);
  const bot = createBot();
  await bot.connect(url, token);
  for await (const lines of process.stdin) bot.say(1001, "Grace", String(lines).trim());
}
