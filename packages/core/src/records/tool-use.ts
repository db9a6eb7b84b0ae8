import { z } from "zod";

/** The state of a call of a tool for a reply. `called`: it has begun, and has no outcome, maybe because its server has stopped. */
export const toolUse = z.object({
  callId: z.string(),
  /** The name of the server of tools. */
  server: z.string(),
  tool: z.string(),
  /** JSON as the model wrote it. */
  arguments: z.string(),
  state: z.enum(["asked", "refused", "called", "failed", "done"]),
  /** The beginning of the tool's answer; empty before it. */
  result: z.string(),
  /** Milliseconds that the call took. */
  ms: z.int(),
});

/** A call of a tool for a reply. */
export interface ToolUse extends Readonly<z.output<typeof toolUse>> {}

const count = z.int().min(0);

/** The state of a server of tools, as this server of Telex sees it. */
export const toolServer = z.object({
  name: z.string(),
  state: z.enum(["ready", "connecting", "failed", "closed"]),
  tools: count.meta({ description: "Tools that are offered to models." }),
  leftOut: count.meta({ description: "Tools that are not offered, because they break the bounds." }),
  failure: z.string().meta({ description: "The last failure; empty if there was none since it connected." }),
});

/** The state of a server of tools, for the operator. */
export interface ToolServerState extends Readonly<z.output<typeof toolServer>> {}

/** The calls of tools that are stored with a message. */
export const toolUsesOf = (json: string | null | undefined): ToolUse[] =>
  z.array(toolUse).parse(JSON.parse(json ?? "[]"));

/** The calls of tools for a message of a model, and the person for whom it called them: of one that asks, only that person may answer. */
export const messageTools = z.object({ userId: z.string(), calls: z.array(toolUse) });

export type MessageTools = z.output<typeof messageTools>;
