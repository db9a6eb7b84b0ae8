// A bot made with Koishi and its OneBot adapter, over OneBot 11: `koishi.mjs <address> <token> <user id>`.

import { createRequire } from "node:module";
import { given, picture, run, tea, tell } from "./common.mjs";

const require = createRequire(import.meta.url);
const { Context, h } = require("koishi");
const { OneBotBot } = require("koishi-plugin-adapter-onebot");

const app = new Context();
app.plugin(require("@koishijs/plugin-http").default);
app.plugin(require("@koishijs/plugin-proxy-agent"));
app.plugin(OneBotBot, {
  protocol: "ws",
  endpoint: given.address,
  token: given.token,
  selfId: given.selfId,
  retryInterval: 100,
  retryTimes: 1000,
});

const plugins = {
  echo: (session, text) => session.send(text),
  quote: (session) => session.send([h.quote(session.messageId), h.at(session.userId), h.text(" quoted")]),
  image: (session) => session.send(h.image(picture, "image/png")),
  file: (session) => session.send(h.file(tea, "text/plain", { title: "tea.txt" })),
  async recall(session) {
    const [id] = await session.send("to be recalled");
    await session.bot.deleteMessage(session.channelId, id);
  },
  async members(session) {
    const { data } = await session.bot.getGuildMemberList(session.guildId);
    await session.send(data.map(({ user }) => user.name).join(","));
  },
  async history(session) {
    const { data } = await session.bot.getMessageList(session.channelId);
    await session.send(
      data
        .slice(-2)
        .map(({ content }) => content)
        .join(","),
    );
  },
  /** Sends the pictures and files of the message again, from their addresses in Telex. */
  async again(session) {
    for (const { type, attrs } of session.elements) {
      if (type === "img") await session.send(h.image(attrs.src));
      if (type === "file") await session.send(h.file(attrs.src, { title: attrs.file }));
    }
  },
};

app.on("bot-status-updated", (bot) => {
  // Status 1 is online. The other values mean that the connection is closed or not open yet.
  if (bot.status === 1) tell("connected", { self: bot.selfId, name: bot.user.name });
  else tell("disconnected");
  // After an open connection ends, the adapter sets the status to offline (0), and Koishi does not reconnect by itself.
  if (bot.status === 0) setTimeout(() => void bot.start(), 100);
});
app.on("message-deleted", () => tell("recalled"));
app.middleware(async (session) => {
  const text = session.elements
    .map(({ type, attrs }) => (type === "text" ? attrs.content : ""))
    .join("")
    .trim();
  tell("message", { text, to_me: session.stripped.atSelf, quote: session.quote?.id });
  await run(plugins, text, session);
});
await app.start();
tell("started");
