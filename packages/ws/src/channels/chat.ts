import { type CallContext, type Caller, type ChatEvent, TelexError } from "@telex/core";
import {
  type Channel,
  type ChannelConnection,
  type Command,
  type CommandCall,
  type OpenChannel,
  unanswered,
} from "./channel.ts";
import { readOptionalId } from "./fields.ts";
import { failure } from "../connection/failures.ts";
import { type Identifier, progressFrame, resultFrame } from "../connection/frames.ts";

/** The service checks its input itself, so the fields of a frame go in as they came. */
interface ChatOperation {
  chat(caller: Caller, input: unknown, context: CallContext): Promise<AsyncIterable<ChatEvent>>;
  setting(caller: Caller, input: unknown): Promise<Setting>;
}

/** A reply under way on a connection. */
interface Running {
  readonly stop: AbortController;
  /** Null until its first piece has come, for a new conversation. */
  conversationId: number | null;
}

const settingNames = ["systemPrompt", "maxOutputTokens", "model"] as const;

type Setting = Readonly<Partial<Record<(typeof settingNames)[number], unknown>>>;

/** The settings that a frame gives: null takes one back, what is left out stays. */
const settingOf = (fields: Readonly<Record<string, unknown>>): Setting =>
  Object.fromEntries(settingNames.filter((name) => name in fields).map((name) => [name, fields[name]]));

/** Characters that may be on their way to a socket before it is waited for. */
const mostAhead = 16_384;

/** Sends a frame of a reply; a promise of whether the socket is still there, where it must be waited for first. */
type Pace = (frame: string) => true | Promise<boolean>;

/** The replies of a connection go as fast as it is read, all together: waiting for each piece would cost more than the piece. */
function createPace({ send, flushed }: ChannelConnection): Pace {
  let ahead = 0;
  const settle = async (): Promise<boolean> => {
    const isThere = await flushed();
    ahead = 0;
    return isThere;
  };
  return (frame) => {
    send(frame);
    ahead += frame.length;
    return ahead < mostAhead || settle();
  };
}

/** Where a reply goes. */
interface Told {
  readonly identifier: Identifier;
  readonly events: AsyncIterable<ChatEvent>;
  readonly running: Running;
  readonly pace: Pace;
}

/** Sends a reply as it comes. A reader that does not read stops the model. */
async function tell({ telex, send }: ChannelConnection, { identifier, events, running, pace }: Told): Promise<void> {
  try {
    for await (const { kind, ...data } of events) {
      running.conversationId = data.conversationId;
      const going = pace(
        kind === "delta" ? progressFrame("ChatDelta", identifier, data) : resultFrame("ChatResult", identifier, data),
      );
      if (going !== true && !(await going)) break;
    }
  } catch (cause) {
    const error = TelexError.from(cause);
    if (error.code === "internal" || error.code === "ai_unavailable") {
      telex.log.error("chat.failed", { code: error.code, incident: error.incident }, error.cause);
    }
    send(failure(error, identifier, telex.locale));
  }
}

/** What can be asked on one connection. A setting lives and dies with it. */
function createCommands(connection: ChannelConnection, all: Set<Running>): ReadonlyMap<string, Command> {
  const operation: ChatOperation = connection.telex.ai;
  const pace = createPace(connection);
  let setting: Setting = {};

  const chat = async ({ live, identifier, fields }: CommandCall): Promise<typeof unanswered> => {
    const conversationId = readOptionalId(fields, "conversationId");
    const running: Running = { stop: new AbortController(), conversationId };
    const events = await operation.chat(live.holder, { ...fields, ...setting }, { signal: running.stop.signal });
    all.add(running);
    void tell(connection, { identifier, events, running, pace }).finally(() => all.delete(running));
    return unanswered;
  };
  const stop = ({ fields }: CommandCall): Promise<{ readonly stopped: number }> => {
    const conversationId = readOptionalId(fields, "conversationId");
    const meant = [...all].filter((running) => conversationId === null || running.conversationId === conversationId);
    for (const running of meant) running.stop.abort();
    return Promise.resolve({ stopped: meant.length });
  };
  const set = async ({ live, fields }: CommandCall): Promise<Setting> => {
    setting = await operation.setting(live.holder, { ...setting, ...settingOf(fields) });
    return setting;
  };
  return new Map<string, Command>([
    ["setting", { result: "SettingResult", run: set }],
    ["chat", { result: "ChatResult", run: chat }],
    ["stop", { result: "StopResult", run: stop }],
  ]);
}

/** The socket of the AI chat: several conversations at once, each reply piece by piece. */
export const chatChannel: Channel = {
  path: "/external/api/v1/sseStream/webSocket",
  admits: ({ scopes }) => scopes.includes("chat"),
  open(connection): OpenChannel {
    const all = new Set<Running>();
    return {
      commands: createCommands(connection, all),
      stop() {
        for (const running of all) running.stop.abort();
      },
    };
  },
};
