import type { IncomingMessage as Request, RequestListener } from "node:http";
import {
  definePlugin,
  type Gateway,
  type GatewayAccount,
  type GatewayInbox,
  type GatewayMessage,
  type GatewayOutcome,
  type GatewayPart,
} from "@telex/core";
import { z } from "zod";

/** The only account in this network. */
const account = "webhook";
/** Bytes of an event. */
const longest = 64 * 1024;

/** A part of a message in the plain text that this network takes; null for what it does not take. */
function textOf(part: GatewayPart): string | null {
  switch (part.kind) {
    case "text":
      return part.text;
    case "at":
      return part.ext === "all" ? "@everyone " : `<@${part.ext}> `;
    case "reply":
      return part.messageId === "" ? "" : `(re ${part.messageId}) `;
    case "image":
    case "file":
      return null;
  }
}

async function readOutcome(response: Response): Promise<GatewayOutcome> {
  if (response.status === 503) return { outcome: "offline" };
  if (!response.ok) return { outcome: "refused", detail: `the network answered ${response.status}` };
  return { outcome: "delivered", messageId: response.headers.get("x-message-id") };
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;

async function send(webhook: string, { room, parts, begin, signal }: GatewayMessage): Promise<GatewayOutcome> {
  const texts = parts.map(textOf);
  if (texts.includes(null)) return { outcome: "unsupported" };
  const body = JSON.stringify({ room: room.ext, text: texts.join("") });
  await begin();
  try {
    return await readOutcome(
      await fetch(webhook, { method: "POST", headers: { "content-type": "application/json" }, body, signal }),
    );
  } catch (cause) {
    // A connection that was refused is certain. If it breaks later, the message may have been delivered.
    return { outcome: codeOf(cause) === "ECONNREFUSED" ? "offline" : "unknown" };
  }
}

/** The body that this network posts for each message. */
const event = z.object({
  id: z.string(),
  room: z.string(),
  user: z.string(),
  name: z.string(),
  text: z.string(),
  seconds: z.number(),
});

async function readEvent(request: Request): Promise<z.output<typeof event>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.length > longest) throw new RangeError("The event is too long.");
  }
  return event.parse(JSON.parse(text));
}

async function receive(inbox: GatewayInbox | null, request: Request): Promise<number> {
  if (inbox === null) return 503;
  const { id, room, user, name, text, seconds } = await readEvent(request);
  await inbox.receive({
    account,
    messageId: id,
    room: { kind: "group", ext: room },
    sender: { ext: user, name },
    isOwn: user === account,
    createTime: Math.round(seconds * 1000),
    segments: [{ type: "text", data: { text } }],
  });
  return 204;
}

/**
 * Connects rooms to a network that talks by webhooks: what people say here is posted to it, and it posts what people say there.
 * @param webhook where the network takes messages
 */
export function createWebhookBot(webhook: string) {
  let inbox: GatewayInbox | null = null;
  const accountNow = (): GatewayAccount => ({
    account,
    network: "webhook",
    groupTypes: [0],
    isConnected: inbox !== null,
    isOnline: true,
  });
  const gateway: Gateway = {
    name: "webhook",
    findAccount: (asked) => (asked === null || asked === account ? accountNow() : null),
    listAccounts: () => [accountNow()],
    async start(opened) {
      inbox = opened;
    },
    async send(message) {
      return inbox === null ? { outcome: "offline" } : send(webhook, message);
    },
    async close() {
      inbox = null;
    },
  };
  /** Takes the posts of the network. It posts again what was not answered with 2xx, so that nothing is lost. */
  const events: RequestListener = (request, response) => {
    receive(inbox, request)
      .catch(() => 400)
      .then((status) => response.writeHead(status).end())
      .catch(() => response.destroy());
  };
  return { plugin: definePlugin({ name: "webhook-bot", gateways: [gateway] }), events };
}
