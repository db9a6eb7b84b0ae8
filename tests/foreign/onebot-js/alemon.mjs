// A bot with the client of @alemonjs/onebot, over OneBot 12: `alemon.mjs <address> <token> <user id>`.

import { given, picture, run, tea, tell } from "./common.mjs";

const log = (...words) => console.error(...words);
// The client takes its logger from AlemonJS, which makes it a global.
globalThis.logger = { info: log, warn: log, error: log };
// The package does not export its client separately, and its main file starts all of AlemonJS.
const { OneBotClient } = await import("./node_modules/@alemonjs/onebot/lib/sdk/wss.js");

const client = new OneBotClient({ url: given.address, access_token: given.token, version: 12 });
const segment = (type, data = {}) => ({ type, data });
const say = ({ group_id }, ...message) =>
  client.sendV12Action("send_message", { detail_type: "group", group_id, message });
// AlemonJS uploads pictures without a name.
const upload = (bytes, name) =>
  client.sendV12Action("upload_file", { type: "data", data: bytes.toString("base64"), name });

const plugins = {
  echo: (event, text) => say(event, segment("text", { text })),
  quote: (event) =>
    say(
      event,
      segment("reply", { message_id: event.message_id }),
      segment("mention", { user_id: event.user_id }),
      segment("text", { text: " quoted" }),
    ),
  image: async (event) => say(event, segment("image", { file_id: (await upload(picture)).file_id })),
  file: async (event) => say(event, segment("file", { file_id: (await upload(tea, "tea.txt")).file_id })),
  async recall(event) {
    const { message_id } = await say(event, segment("text", { text: "to be recalled" }));
    await client.deleteV12Message(message_id);
  },
  async members(event) {
    const members = await client.getV12GroupMemberList(event.group_id);
    await say(event, segment("text", { text: members.map(({ user_name }) => user_name).join(",") }));
  },
  again: (event) => say(event, ...event.message.filter(({ type }) => type === "image" || type === "file")),
};

const events = {
  async "meta.connect"() {
    const { user_id, user_name } = await client.getSelfInfo();
    tell("connected", { self: user_id, name: user_name });
  },
  "notice.group_message_delete": () => tell("recalled"),
  async "message.group"(event) {
    const text = event.message
      .map(({ type, data }) => (type === "text" ? data.text : ""))
      .join("")
      .trim();
    const to_me = event.message.some(({ type, data }) => type === "mention" && data.user_id === given.selfId);
    const quote = event.message.find(({ type }) => type === "reply")?.data.message_id;
    tell("message", { text, to_me, quote });
    await run(plugins, text, event);
  },
};
client.on("V12_EVENT", (event) => events[`${event.type}.${event.detail_type}`]?.(event));
let wasReady = false;
setInterval(() => {
  const isReady = client.getConnectionStatus().state === "ready";
  if (wasReady && !isReady) tell("disconnected");
  wasReady = isReady;
}, 20);
client.connect();
tell("started");
