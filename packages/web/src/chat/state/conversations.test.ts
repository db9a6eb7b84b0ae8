import type { ConversationView } from "@telex/core";
import { expect, test } from "vitest";
import { createConversations } from "./conversations.ts";

const named = (title: string): ConversationView => ({
  id: 1,
  userId: 1,
  title,
  status: 0,
  defaultModel: "echo",
  lastMessage: "",
  totalToken: 0,
});

/** A server that reads its list when it receives the request, and responds when the test decides. */
function createServer() {
  let title = "old";
  const asked: (() => void)[] = [];
  return {
    answer: (): void => asked.shift()?.(),
    api: {
      async conversations() {
        const list = [named(title)];
        await new Promise<void>((resolve) => void asked.push(resolve));
        return { list, page: 1, pageSize: 50, total: 1 };
      },
      async amendConversation() {
        title = "new";
        return named(title);
      },
      deleteConversation: () => Promise.reject(new Error("not here")),
    },
  };
}

test("a list that was read before a change, and arrives after it, does not revert it", async () => {
  const { api, answer } = createServer();
  const conversations = createConversations(api);
  const first = conversations.load();
  answer();
  await first;
  const late = conversations.load();
  await conversations.amend(1, { title: "new" });
  answer();
  await late;
  answer();
  await expect.poll(() => conversations.find(1)?.title).toBe("new");
});
