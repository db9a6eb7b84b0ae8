import { setTimeout as sleep } from "node:timers/promises";
import { createImplementation, type Frame, type Implementation, type Seen, textOf } from "@telex/bot-onebot/testing";
import type { BotFaults } from "./faults.ts";
import { createPost } from "./post.ts";
import { createPush, type Push } from "./push.ts";

/** The user ID of the speaking person. */
const person = "1001";
/** The answer of a bot whose account is signed out. */
const signedOut: Frame = { status: "failed", retcode: 10_102, data: null, message: "signed out" };

/** Meaningless frames. */
const nonsense: readonly string[] = [
  "{",
  "[]",
  "null",
  '{"post_type":"message","message_type":"group","message_id":null}',
  '{"type":"message","detail_type":"group","message_id":{}}',
  '{"status":"ok","retcode":0,"data":null,"echo":"nobody asked"}',
  JSON.stringify({ text: "x".repeat(100_000) }),
];

/** The parts of a simulated network. */
interface NetworkOptions {
  readonly version: 11 | 12;
  /** The ID of the group. */
  readonly group: string;
  /** True if the bot posts its events. */
  readonly isHttp: boolean;
  readonly faults: BotFaults;
}

/** A simulated network. */
export interface Network {
  readonly bot: Implementation;
  readonly push: Push;
  /** Accepted texts of Telex, with repeats. */
  readonly taken: readonly string[];
  /** Sends a message of a person to the group. */
  say(text: string): void;
  /** Possibly signs the account out for a while. */
  rest(): Promise<void>;
}

/** The state of a network. */
interface State {
  /** The events of all messages. */
  readonly said: Frame[];
  readonly taken: string[];
  isSignedIn: boolean;
}

/** Pushes the event of a message, with faults. */
const createTell =
  ({ push }: Pick<Network, "push">, faults: BotFaults): ((frame: Frame) => void) =>
  (frame) => {
    if (faults.strikes("malformed")) for (const text of nonsense) push.write(text);
    push.add(frame);
    if (faults.strikes("dup")) push.add(frame);
  };

/** Answers a message of Telex; null if the connection breaks first. */
const createTake =
  (
    { bot, push }: Pick<Network, "bot" | "push">,
    { faults, group }: NetworkOptions,
    { state, tell }: { readonly state: State; readonly tell: (frame: Frame) => void },
  ): ((seen: Seen) => Promise<Frame | null>) =>
  async (seen) => {
    await faults.slow();
    if (!state.isSignedIn) return signedOut;
    if (faults.strikes("drop-before")) {
      push.drop();
      return null;
    }
    const text = textOf(seen);
    const { id, frame } = bot.compose(text, group, bot.account);
    state.taken.push(text);
    state.said.push(frame);
    const isAnswered = !faults.strikes("drop-after");
    if (!isAnswered) push.drop();
    tell(frame);
    return isAnswered ? bot.taken(id) : null;
  };

/** Creates a network with one group and a bot. It keeps accepted messages even if its answer is lost. */
export function createNetwork(options: NetworkOptions): Network {
  const { version, group, faults } = options;
  // Telex stores each ID once, including those of an earlier run.
  const bot = createImplementation(version, { lastId: Date.now() });
  const push = options.isHttp ? createPost(bot) : createPush(bot);
  const state: State = { said: [], taken: [], isSignedIn: true };
  const tell = createTell({ push }, faults);
  bot.answers.set(
    version === 11 ? "send_group_msg" : "send_message",
    createTake({ bot, push }, options, { state, tell }),
  );
  if (version === 11) {
    const messages = (count: unknown): Frame[] => state.said.slice(-Number(count ?? 20));
    bot.answers.set("get_group_msg_history", ({ params }) => {
      return { status: "ok", retcode: 0, data: { messages: messages(params["count"]) } };
    });
  }
  const setSignedIn = (isSignedIn: boolean): void => {
    state.isSignedIn = isSignedIn;
    if (!isSignedIn) push.setOnline(false);
    bot.behave(isSignedIn ? "take" : "offline");
    if (isSignedIn) push.setOnline(true);
  };

  return {
    bot,
    push,
    taken: state.taken,
    say(text) {
      const { frame } = bot.compose(text, group, person);
      state.said.push(frame);
      if (faults.strikes("drop-before")) push.drop();
      tell(frame);
      if (faults.strikes("drop-after")) push.drop();
    },
    async rest() {
      if (!faults.strikes("offline")) return;
      setSignedIn(false);
      await sleep(faults.absence());
      setSignedIn(true);
    },
  };
}
