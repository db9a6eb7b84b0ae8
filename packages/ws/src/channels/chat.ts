import { TelexError } from "@telex/core";
import { type ChatEvent, connectionCommands } from "@telex/core/contract";
import { createInTurn, parseInput } from "@telex/core/transport";
import {
  type Channel,
  type ChannelConnection,
  type Command,
  type CommandCall,
  type OpenChannel,
  unanswered,
} from "./channel.ts";
import { commandsOf, describeChannel } from "./derive.ts";
import { channelTable } from "./table.ts";
import { failure } from "../frames/failures.ts";
import { type Identifier, progressFrame, resultFrame } from "../frames/frames.ts";

/** A reply in progress on a connection. */
interface Running {
  readonly stop: AbortController;
  /** For a new conversation, null until the first piece of the reply. */
  conversationId: number | null;
}

const settingNames = ["systemPrompt", "maxOutputTokens", "model"] as const;

type Setting = Readonly<Partial<Record<(typeof settingNames)[number], unknown>>>;

/** The settings in a frame. Null resets a setting; an absent field leaves it unchanged. */
const settingOf = (fields: Readonly<Record<string, unknown>>): Setting =>
  Object.fromEntries(settingNames.filter((name) => name in fields).map((name) => [name, fields[name]]));

/** Maximum characters sent before the next piece waits for the socket. */
const maxAhead = 16_384;

/** Sends a frame of a reply. Returns true, or a promise if the socket must drain first; false means that the socket has ended. */
type Pace = (frame: string) => true | Promise<boolean>;

/** Throttles all replies of a connection together, because waiting after each piece would cost more than the piece. */
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
    return ahead < maxAhead || settle();
  };
}

const row = channelTable.chat.commands.chat;

/** The conversation that a frame names, or null. */
const conversationOf = ({ fields }: CommandCall): number | null =>
  parseInput(connectionCommands.ai.stop, fields).conversationId ?? null;

/** The destination of a reply. */
interface Destination {
  readonly identifier: Identifier;
  readonly events: AsyncIterable<ChatEvent>;
  readonly running: Running;
  readonly pace: Pace;
}

/** A piece of a reply, or its result. */
const frameOf = ({ kind, ...data }: ChatEvent, identifier: Identifier): string =>
  kind === "result" ? resultFrame(row.result, identifier, data) : progressFrame(row.pieces[kind], identifier, data);

/** Logs a failure that the client did not cause. */
function noteFailed({ log }: ChannelConnection["telex"], { code, incident, cause }: TelexError): void {
  if (code === "internal" || code === "ai_unavailable") log.error("chat.failed", { code, incident }, cause);
}

/** Sends a reply piece by piece. If the client does not read, the model is stopped. */
async function tell(
  { telex, locale, send }: ChannelConnection,
  { identifier, events, running, pace }: Destination,
): Promise<void> {
  try {
    for await (const event of events) {
      running.conversationId = event.conversationId;
      const going = pace(frameOf(event, identifier));
      if (going !== true && !(await going)) break;
    }
  } catch (cause) {
    const error = TelexError.from(cause);
    noteFailed(telex, error);
    send(failure(error, identifier, locale));
  }
}

/** The replies in progress on one connection. */
function createReplies(connection: ChannelConnection) {
  const all = new Set<Running>();
  const pace = createPace(connection);
  const starts = createInTurn();
  // Replies of one conversation begin in the order of the calls; a new conversation does not wait.
  const inTurn = <T>({ conversationId }: Running, start: () => Promise<T>): Promise<T> =>
    conversationId === null ? start() : starts.run(String(conversationId), start);
  const begin = async (call: CommandCall, input: object): Promise<void> => {
    const { telex, live, identifier } = call;
    const running: Running = { stop: new AbortController(), conversationId: conversationOf(call) };
    const context = { signal: running.stop.signal };
    const end = () => all.delete(running);
    // Added before the first await, so that a `stop` that follows immediately stops this reply, too.
    all.add(running);
    const started = inTurn(running, () => telex.call("ai.chat", live.holder, input, context));
    const events = await started.catch((cause: unknown) => {
      end();
      throw cause;
    });
    void tell(connection, { identifier, events, running, pace }).finally(end);
  };
  /** Stops the replies of a conversation, or all of them. Returns their number. */
  const stop = (conversationId: number | null): number => {
    const matching = [...all].filter((running) => conversationId === null || running.conversationId === conversationId);
    for (const running of matching) running.stop.abort();
    return matching.length;
  };
  return { begin, stop };
}

/** The commands of one connection. Settings last as long as the connection. */
function createCommands({ begin, stop }: ReturnType<typeof createReplies>): ReadonlyMap<string, Command> {
  let setting: Setting = {};
  return commandsOf("chat", {
    chat: async (call) => {
      await begin(call, { ...call.fields, ...setting });
      return unanswered;
    },
    stop: async (call) => ({ stopped: stop(conversationOf(call)) }),
    setting: async ({ telex, live, fields }) => {
      setting = await telex.call("ai.setting", live.holder, { ...setting, ...settingOf(fields) });
      return setting;
    },
  });
}

/** The socket of the AI chat: several conversations at the same time, and each reply in pieces. */
export const chatChannel: Channel = {
  ...describeChannel("chat"),
  open(connection): OpenChannel {
    const replies = createReplies(connection);
    return { commands: createCommands(replies), stop: () => void replies.stop(null) };
  },
};
