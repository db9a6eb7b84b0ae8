import { z } from "zod";

const word = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, "1 to 32 letters, digits and -, such as files");
const names = z.array(z.string().min(1).max(128)).max(256);

const common = {
  /**
   * `always`: each call needs the permission of the person. `hints`: each one that is not on the list `harmless`, or that its server does
   * not call read-only. `never`: none.
   */
  ask: z.enum(["always", "hints", "never"]).default("hints"),
  /** The tools that change nothing, by their names at the server. */
  harmless: names.default([]),
  /** The models that may call the tools in chats and for devices. Default: all that can call tools. */
  models: names.optional(),
  /** The models that may call the tools in rooms. */
  rooms: names.default([]),
  /** Seconds that one call may take. */
  seconds: z.number().min(1).max(600).default(30),
};

/** A program that speaks MCP over its standard input and output. */
const programServer = z.strictObject({
  ...common,
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(32_768)).max(256).default([]),
  /** Its environment, in addition to PATH, HOME and LANG. */
  env: z.record(z.string().min(1).max(256), z.string().max(32_768)).default({}),
});

/** A server that speaks MCP over streamable HTTP. */
const httpServer = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/ }).max(2048),
  headers: z.record(z.string().min(1).max(256), z.string().max(8192)).default({}),
});

const toolServer = z.union([programServer, httpServer]);

/** The tool servers, and the bounds of their use. */
export const aiToolsOptions = z.strictObject({
  /** Rounds of calls that a reply may have. */
  steps: z.int().min(1).max(32).default(8),
  /** Seconds that all calls of a reply may take together. */
  seconds: z.number().min(1).max(600).default(60),
  servers: z.record(word, toolServer),
});

/** The options as an operator writes them: see the guide. */
export type AiToolsInput = z.input<typeof aiToolsOptions>;
/** One tool server. */
export type ToolServerOptions = z.output<typeof toolServer>;
/** A program as a tool server. */
export type ProgramOptions = z.output<typeof programServer>;
/** A tool server over HTTP. */
export type HttpServerOptions = z.output<typeof httpServer>;
