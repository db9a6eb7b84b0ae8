import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";

/** An event of OneBot 11, as far as this framework looks at it. */
const event = z.looseObject({
  post_type: z.string().optional(),
  group_id: z.number().optional(),
  message_id: z.number().optional(),
  raw_message: z.string().default(""),
});

/** The plug-ins of the framework: a command, and what is answered to it. */
const plugins: Readonly<Record<string, () => string>> = {
  "/ping": () => "pong",
  "/time": () => new Date().toISOString(),
};

function answer({ post_type, group_id, message_id, raw_message }: z.output<typeof event>): object | null {
  const reply = post_type === "message" ? plugins[raw_message]?.() : undefined;
  if (reply === undefined) return null;
  const message = [
    { type: "reply", data: { id: String(message_id) } },
    { type: "text", data: { text: reply } },
  ];
  return { action: "send_group_msg", params: { group_id, message } };
}

/**
 * A small bot framework. It knows nothing of Telex: every implementation of OneBot 11 serves it.
 * @param address of the implementation, a forward WebSocket
 */
export async function runFramework(address: string, token: string): Promise<void> {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  socket.on("message", (data: Buffer) => {
    const action = answer(event.parse(JSON.parse(data.toString())));
    if (action !== null) socket.send(JSON.stringify(action));
  });
  await once(socket, "open");
}
