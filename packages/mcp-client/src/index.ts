import { type ChatModel, type Clock, definePlugin, type Logger, type Plugin, type ToolServerState } from "@telex/core";
import type { z } from "zod";
import { createAnswers } from "./answers.ts";
import { createToolModel } from "./model.ts";
import { type AiToolsInput, aiToolsOptions } from "./options.ts";
import { createToolServer } from "./server.ts";

export type { AiToolsInput } from "./options.ts";

/** The tools of the operator's servers, for the models of one instance. */
export interface AiTools {
  /** The models, each of which may call the tools if it accepts tools. The keys stay. */
  wrap(models: ReadonlyMap<string, ChatModel>): ReadonlyMap<string, ChatModel>;
  /** Connects the servers when Telex starts, and ends them when it closes. Pass it to `createTelex` with the models. */
  readonly plugin: Plugin;
  /** The state of each server now. */
  state(): readonly ToolServerState[];
  /** Connects all servers and waits, at most a few seconds. */
  check(): Promise<readonly ToolServerState[]>;
  /** Ends all servers. The plug-in does so, too. */
  close(): Promise<void>;
}

type Issue = z.core.$ZodIssue;

/** The mistakes with their paths. For a server, those in the kind that it matches best. */
function mistakesOf(issue: Issue, at: readonly PropertyKey[] = []): string[] {
  const place = [...at, ...issue.path];
  if (issue.code !== "invalid_union") return [`${place.join(".") || "all"}: ${issue.message}`];
  const [best = []] = issue.errors.toSorted((a, b) => a.length - b.length);
  return best.flatMap((one) => mistakesOf(one, place));
}

/**
 * Reads options of `createAiTools` that no compiler has checked, such as those of a configuration file.
 * @throws TypeError that names each mistake
 */
export function readAiTools(options: unknown): AiToolsInput {
  const { data, error } = aiToolsOptions.safeParse(options);
  if (data !== undefined) return data;
  throw new TypeError(error.issues.flatMap((issue) => mistakesOf(issue)).join("; "));
}

const silent: Logger = { info() {}, warn() {}, error() {} };
const timer: Clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timeout = setTimeout(run, delay);
    return () => clearTimeout(timeout);
  },
};

/**
 * Lets models call the tools of MCP servers: programs, or servers over HTTP.
 * @throws ZodError for invalid options
 * @example
 * const tools = createAiTools({ servers: { files: { command: "files-mcp", args: ["/srv/files"], harmless: ["read_file"] } } });
 * const telex = await createTelex({ ...options, models: tools.wrap(models), plugins: [tools.plugin] });
 */
export function createAiTools(options: AiToolsInput): AiTools {
  const { steps, seconds, servers: serverOptions } = aiToolsOptions.parse(options);
  let log = silent;
  let clock = timer;
  const answers = createAnswers(() => clock);
  const servers = Object.entries(serverOptions).map(([name, server]) => createToolServer(name, server, () => log));
  const state = (): ToolServerState[] => servers.map((server) => server.state());
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  const check = async (): Promise<ToolServerState[]> => {
    await Promise.all(servers.map((server) => server.list()));
    return state();
  };
  const wrap = (name: string, model: ChatModel): ChatModel =>
    createToolModel(name, model, { servers, answers, steps, time: seconds * 1000 });
  return {
    wrap: (models) => new Map(Array.from(models, ([name, model]) => [name, wrap(name, model)])),
    plugin: definePlugin({
      name: "mcp-client",
      toolAnswers: { ...answers, servers: state },
      start(telex) {
        [log, clock] = [telex.log, telex.clock];
        answers.join(telex);
        void check();
        return Promise.resolve(close);
      },
    }),
    state,
    check,
    close,
  };
}
