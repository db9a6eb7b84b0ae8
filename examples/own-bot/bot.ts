import { type BotOutcome, type BotPart, definePlugin } from "@telex/core";

/** Milliseconds that the network has for its answer. */
const patience = 10_000;

/** A part of a message in the plain text that this network takes; null for what it does not take. */
function textOf(part: BotPart): string | null {
  switch (part.kind) {
    case "text":
      return part.text;
    case "at":
      return part.ext === "all" ? "@everyone " : `<@${part.ext}> `;
    case "reply":
      return part.botMessageId === "" ? "" : `(re ${part.botMessageId}) `;
    case "image":
    case "file":
      return null;
  }
}

async function readOutcome(response: Response): Promise<BotOutcome> {
  if (response.status === 503) return { outcome: "offline" };
  if (!response.ok) return { outcome: "refused", detail: `the network answered ${response.status}` };
  return { outcome: "delivered", botMessageId: response.headers.get("x-message-id"), account: "webhook" };
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;

/** Sends what is said in rooms of the external network to a webhook of that network. */
export const webhookBot = (webhook: string) =>
  definePlugin({
    name: "webhook-bot",
    bots: {
      async send(group, parts) {
        const texts = parts.map(textOf);
        if (texts.includes(null)) return { outcome: "unsupported" };
        try {
          const response = await fetch(webhook, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ room: group.ext, text: texts.join("") }),
            signal: AbortSignal.timeout(patience),
          });
          return await readOutcome(response);
        } catch (cause) {
          // Refused at the door is certain; whatever breaks later may have been delivered, and is never sent again.
          return { outcome: codeOf(cause) === "ECONNREFUSED" ? "offline" : "unknown" };
        }
      },
    },
  });
