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
import { failure } from "../connection/failures.ts";
import { type Identifier, progressFrame, resultFrame } from "../connection/frames.ts";

/** A reply in progress on a connection. */
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

const row = channelTable.chat.commands.chat;

/** The conversation that a frame names, or null. */
const conversationOf = ({ fields }: CommandCall): number | null =>
  parseInput(connectionCommands.ai.stop, fields).conversationId ?? null;

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
        kind === "result"
          ? resultFrame(row.result, identifier, data)
          : progressFrame(row.pieces[kind], identifier, data),
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

/** What can be asked for on one connection. A setting ends with its connection. */
function createCommands(connection: ChannelConnection, all: Set<Running>): ReadonlyMap<string, Command> {
  const pace = createPace(connection);
  const starts = createInTurn();
  let setting: Setting = {};

  const chat = async (call: CommandCall): Promise<typeof unanswered> => {
    const { telex, live, identifier, fields } = call;
    const running: Running = { stop: new AbortController(), conversationId: conversationOf(call) };
    const end = () => all.delete(running);
    const asked = { ...fields, ...setting };
    const context = { signal: running.stop.signal };
    // Before anything is awaited: a `stop` that comes next means this reply, too.
    all.add(running);
    const start = () => telex.call("ai.chat", live.holder, asked, context);
    // Replies of one conversation begin in the order of the calls; a new one waits for nothing.
    const { conversationId } = running;
    const started = conversationId === null ? start() : starts.run(String(conversationId), start);
    const events = await started.catch((cause: unknown) => {
      end();
      throw cause;
    });
    void tell(connection, { identifier, events, running, pace }).finally(end);
    return unanswered;
  };
  const stop = async (call: CommandCall): Promise<{ readonly stopped: number }> => {
    const conversationId = conversationOf(call);
    const meant = [...all].filter((running) => conversationId === null || running.conversationId === conversationId);
    for (const running of meant) running.stop.abort();
    return { stopped: meant.length };
  };
  const set = async ({ telex, live, fields }: CommandCall): Promise<Setting> => {
    setting = await telex.call("ai.setting", live.holder, { ...setting, ...settingOf(fields) });
    return setting;
  };
  return commandsOf("chat", { chat, stop, setting: set });
}

/** The socket of the AI chat: several conversations simultaneously, each reply piece by piece. */
export const chatChannel: Channel = {
  ...describeChannel("chat"),
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
