import { z } from "zod";
import { idOut, timestamp } from "@telex/ground/contract";
import { questionFileView } from "@telex/files/contract";
import { toolUse } from "../records/tool-use.ts";

/** A stored conversation (interface 2.5). `status`: 0 active, 1 archived. */
export const conversation = z
  .object({
    id: idOut,
    userId: idOut,
    title: z.string(),
    status: z.union([z.literal(0), z.literal(1)]),
    defaultModel: z.string(),
    lastMessage: timestamp,
    totalToken: z.int().min(0),
  })
  .meta({ id: "Conversation" });

/** A message of a conversation. */
export const conversationMessage = z
  .object({
    id: idOut,
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    files: z.array(questionFileView).optional().meta({ description: "The pictures and texts of a question." }),
    model: z.string(),
    finishReason: z.string().nullable(),
    tools: z.array(toolUse).optional().meta({ description: "The calls of tools for this reply." }),
    createdAt: timestamp,
  })
  .meta({ id: "ConversationMessage" });

/** A message that a search found. */
export const foundMessage = conversationMessage
  .pick({ role: true, createdAt: true })
  .extend({
    conversationId: idOut,
    title: z.string().meta({ description: "The title of the conversation." }),
    messageId: idOut,
    excerpt: z.string().meta({ description: "The text around the first word that was found." }),
    matches: z
      .array(z.object({ start: z.int().min(0), end: z.int().min(0) }))
      .meta({ description: "UTF-16 offsets of the words in `excerpt`." }),
  })
  .meta({ id: "FoundConversationMessage" });
