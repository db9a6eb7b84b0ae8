import { TelexError } from "@telex/core";
import { connectionCommands, maxId } from "@telex/core/contract";
import { parseInput } from "@telex/core/transport";
import { groupTypes } from "@telex/core/storage";
import type { Channel, Command, CommandCall } from "./channel.ts";
import { type Around, commandsOf, describeChannel } from "./derive.ts";
import { explainMessage } from "./message-reason.ts";
import { failure } from "../frames/failures.ts";
import { noIdentifier } from "../frames/frames.ts";

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Reports errors of the room first, and then explains a malformed message. */
const explained: Around = (run) => async (call: CommandCall) => {
  const { fields } = call;
  if (isMissing(fields["groupId"]) || isMissing(fields["groupType"]))
    throw new TelexError("invalid_request", { reason: "group_missing" });
  try {
    return await run(call);
  } catch (cause) {
    throw explainMessage(cause, fields["message"]);
  }
};

const ownTypes: readonly unknown[] = [groupTypes.HOME_CHAT_GROUP, groupTypes.HOME_PRIVATE_CHAT];
const types: readonly unknown[] = Object.values(groupTypes);

/** Sending to a room of an external network waits for its bot, so it must not delay other rooms. */
const orderOf: Command["order"] = ({ groupType }) =>
  types.includes(groupType) && !ownTypes.includes(groupType) ? "unordered" : "together";

const typing = async ({ telex, live, fields }: CommandCall): Promise<null> =>
  telex.typing(live.holder, parseInput(connectionCommands.messages.typing, fields));

const commands = new Map(
  [...commandsOf("rooms", { typing }, explained)].map(([name, command]) => {
    return [name, name === "typing" ? command : { ...command, order: orderOf }] as const;
  }),
);

/** The query of a connection, and its errors. */
interface QueryOptions {
  readonly echo: boolean;
  readonly more: boolean;
  readonly since: number | null;
  readonly refusal: TelexError | null;
}

const badSince = (): TelexError => new TelexError("invalid_request", { reason: "bad_since" });
const sinceTwice = (): TelexError =>
  new TelexError("invalid_request", { reason: "query_repeated", params: { name: "since" } });

const toId = (text: string): number | null =>
  /^[1-9]\d{0,15}$/.test(text) && Number(text) <= maxId ? Number(text) : null;

function readQueryOptions(query: URLSearchParams): QueryOptions {
  const echo = query.get("echo") === "1";
  const more = query.get("more") === "1";
  const values = query.getAll("since");
  const [text] = values;
  if (text === undefined) return { echo, more, since: null, refusal: null };
  if (values.length > 1) return { echo, more, since: null, refusal: sinceTwice() };
  const since = toId(text);
  return { echo, more, since, refusal: since === null ? badSince() : null };
}

/** The socket of the chat rooms (interface 4.8): `sendGroupMessage`, and the mirror of messages of others. */
export const roomsChannel: Channel = {
  ...describeChannel("rooms"),
  open({ telex, live, query, locale, send }) {
    const wishes = readQueryOptions(query);
    if (wishes.refusal !== null) send(failure(wishes.refusal, noIdentifier, locale));
    const listening = telex.listen(live, wishes);
    if (!wishes.more) return { commands, stop: () => listening.stop() };
    const used = (): void => telex.sessionActive(live, true);
    const stop = (): void => {
      listening.stop();
      telex.sessionActive(live, false);
    };
    used();
    return { commands, used, stop };
  },
};
