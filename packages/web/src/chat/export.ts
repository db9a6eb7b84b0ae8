import type { ConversationView } from "@telex/core";
import type { Server } from "../server/server.ts";
import { saveBlob } from "../ui/files/save-blob.ts";
import type { Message } from "./state/thread.ts";
import type { ChatTexts } from "./texts-en.ts";

/** The export formats. */
export type ExportForm = "markdown" | "json";

type Page = Server["ai"]["conversationMessages"];

const pageSize = 100;

/** All messages of a conversation, oldest first. */
async function fetchAll(page: Page, conversationId: number): Promise<readonly Message[]> {
  const newestFirst: Message[] = [];
  let next: string | null = null;
  do {
    const fetched: Awaited<ReturnType<Page>> = await page({
      conversationId,
      pageSize,
      ...(next !== null && { cursor: Number(next) }),
    });
    newestFirst.push(...fetched.messages);
    next = fetched.nextPageCursor;
  } while (next !== null);
  return newestFirst.toReversed();
}

const markdownOf = ({ title }: ConversationView, messages: readonly Message[], you: string): string =>
  [
    `# ${title}`,
    ...messages.map(({ role, model, content, files = [], createdAt }) => {
      const who = role === "user" ? you : model;
      const listed = files.map(({ name, url }) => `\n- [${name.replaceAll(/[[\]\\]/g, "\\$&")}](${url})`).join("");
      return `## ${who}, ${createdAt}\n\n${content}${listed === "" ? "" : `\n${listed}`}`;
    }),
  ].join("\n\n") + "\n";

const jsonOf = (conversation: ConversationView, messages: readonly Message[]): string =>
  `${JSON.stringify({ ...conversation, messages }, null, 2)}\n`;

/** Downloads a whole conversation. Throws the errors of the server. */
export async function saveConversation(
  conversation: ConversationView,
  form: ExportForm,
  { page, texts }: { readonly page: Page; readonly texts: ChatTexts },
): Promise<void> {
  const messages = await fetchAll(page, conversation.id);
  const [text, type, end] =
    form === "json"
      ? [jsonOf(conversation, messages), "application/json", "json"]
      : [markdownOf(conversation, messages, texts.you), "text/markdown", "md"];
  saveBlob(new Blob([text], { type }), `${conversation.title.slice(0, 80)}.${end}`);
}
