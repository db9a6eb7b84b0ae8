import { type CallContext, type Caller, type Contract, type MessagesContract, TelexError } from "@telex/core";
import type { Command, CommandCall } from "./channel.ts";
import { explainMessage } from "./message-reason.ts";

interface CommandRow extends Command {
  /** The `command` of the frame. */
  readonly name: string;
}

/** For each operation of a contract the command that offers it, or null where the socket does not. */
type CommandRows<C extends Contract> = Readonly<Record<keyof C, CommandRow | null>>;

const table = (rows: Readonly<Record<string, CommandRow | null>>): ReadonlyMap<string, Command> =>
  new Map(Object.values(rows).flatMap((row) => (row === null ? [] : [[row.name, row] as const])));

/** The service checks its input itself, so the fields of a frame go in as they came. */
interface MessageSender {
  send(caller: Caller, input: unknown, context: CallContext): Promise<{ readonly createTime: number }>;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

async function sendGroupMessage({ telex, live, fields }: CommandCall): Promise<number> {
  if (isMissing(fields["groupId"]) || isMissing(fields["groupType"])) {
    throw new TelexError("invalid_request", { reason: "group_missing" });
  }
  const messages: MessageSender = telex.messages;
  try {
    const { createTime } = await messages.send(live.holder, fields, { origin: live });
    return createTime;
  } catch (cause) {
    throw explainMessage(cause, fields["message"]);
  }
}

const messageRows: CommandRows<MessagesContract> = {
  history: null,
  send: { name: "sendGroupMessage", result: "SendMessageResult", run: sendGroupMessage },
};

/** What can be asked on the socket of the chat rooms (interface 4.8). */
export const messageCommands = table(messageRows);
