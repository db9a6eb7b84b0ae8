import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { reversePlugin } from "./model.ts";

const alice = { kind: "token", userId: 1, scopes: ["chat"], tokenId: null, expiresAt: null } as const;

it("offers the model of a plug-in, and answers with it", async () => {
  const storage = createMemoryStorage();
  const telex = await createTelex({
    storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins: [reversePlugin],
    checkOutput: true,
  });
  onTestFinished(async () => await telex.close());
  await storage.users.appendUser({
    nickname: "alice",
    ext: null,
    phone: null,
    avatar: null,
    ai: null,
    oneBot: null,
    suspended: false,
    createdAt: 0,
  });
  expect(await telex.ai.models(alice, {})).toMatchObject([{ model: "reverse", contextTokens: 4096 }]);
  const reply: unknown[] = [];
  for await (const piece of await telex.ai.chat(alice, { content: "who is there" })) reply.push(piece);
  expect(reply.at(-1)).toMatchObject({ kind: "result", content: "there is who ", finishReason: "stop" });
  const conversations = await telex.ai.conversations(alice, {});
  expect(conversations.list).toMatchObject([{ defaultModel: "reverse", totalToken: 6 }]);
});
