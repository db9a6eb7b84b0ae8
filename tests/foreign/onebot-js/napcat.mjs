// A bot made with node-napcat-ts, over OneBot 11: `napcat.mjs <address> <token> <user id>`.

import { NCWebsocket, Structs } from "node-napcat-ts";
import { given, picture, run, tea, tell } from "./common.mjs";

const bot = new NCWebsocket({
  baseUrl: given.address,
  accessToken: given.token,
  reconnection: { enable: true, attempts: 1000, delay: 100 },
});

const send = ({ group_id }, ...message) => bot.send_group_msg({ group_id, message });
const again = {
  image: ({ file }) => Structs.image(file),
  file: ({ file_id, file }) => Structs.file(file_id, file),
};

const plugins = {
  echo: (event, text) => send(event, Structs.text(text)),
  quote: (event) => send(event, Structs.reply(event.message_id), Structs.at(event.user_id), Structs.text(" quoted")),
  image: (event) => send(event, Structs.image(picture)),
  file: (event) => send(event, Structs.file(tea, "tea.txt")),
  async recall(event) {
    const { message_id } = await send(event, Structs.text("to be recalled"));
    await bot.delete_msg({ message_id });
  },
  async members(event) {
    const members = await bot.get_group_member_list({ group_id: event.group_id });
    await send(event, Structs.text(members.map(({ nickname }) => nickname).join(",")));
  },
  async history(event) {
    const { messages } = await bot.get_group_msg_history({ group_id: event.group_id, count: 2 });
    await send(event, Structs.text(messages.map(({ raw_message }) => raw_message).join(",")));
  },
  again: (event) => send(event, ...event.message.flatMap(({ type, data }) => again[type]?.(data) ?? [])),
};

bot.on("meta_event.lifecycle.connect", async ({ self_id }) => {
  const { nickname } = await bot.get_login_info();
  tell("connected", { self: String(self_id), name: nickname });
});
bot.on("socket.close", () => tell("disconnected"));
bot.on("notice.group_recall", () => tell("recalled"));
bot.on("message.group", async (event) => {
  const text = event.message
    .map(({ type, data }) => (type === "text" ? data.text : ""))
    .join("")
    .trim();
  const to_me = event.message.some(({ type, data }) => type === "at" && data.qq === given.selfId);
  const quote = event.message.find(({ type }) => type === "reply")?.data.id;
  tell("message", { text, to_me, quote });
  await run(plugins, text, event);
});
tell("started");
await bot.connect();
