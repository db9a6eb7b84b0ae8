import type { BotView } from "@telex/core";

const advice: Readonly<Record<string, string>> = {
  connect_failed: "Start the bot, and check its address: telex bot set <account> --connect <url>.",
  secret_refused:
    "Enter the secret of the account in the settings of the bot, or give Telex the one of the bot: telex bot set <account> --secret <text>.",
  closed: "The bot has ended the connection: look at its log. Telex reconnects by itself.",
  not_connected: "Start the bot. Its reverse WebSocket is wss://<this server>/onebot with the secret as access token.",
  signed_out: "Sign the account in again, in the program of the bot.",
  no_answer: "The program of the bot is stuck: restart it.",
  stopped: "Start the server: telex serve.",
  no_server: "Start the server: telex serve. If other servers run, one of them takes over by itself.",
};

/** The advice for an account that is not online, or null. */
export function adviceFor({ account, online, problem, since, connect }: BotView): string | null {
  if (online) return null;
  const said = advice[problem?.code ?? ""];
  if (said !== undefined) return said.replace("<account>", account);
  if (since !== null) return `telex bot test ${account} says what does not work.`;
  return connect === null ? (advice["not_connected"] ?? null) : "Start a server: telex serve. It connects to the bot.";
}
