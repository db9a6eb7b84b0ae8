import { z } from "zod";
import { account, type Frame, tongues } from "./tongues.ts";
import { createWires } from "./wires.ts";

/** How the network behind the implementation treats messages. */
type Mood = "take" | "echo" | "refuse" | "silent" | "offline";

/** A received action. */
export interface Seen {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly self?: unknown;
}

/** Options of {@link createImplementation}. */
interface ImplementationOptions {
  /** The number before the ID of the first message. Telex stores each ID once. */
  readonly lastId?: number;
}

const request = z.object({
  action: z.string(),
  params: z.record(z.string(), z.unknown()),
  self: z.unknown().optional(),
  echo: z.string(),
});

/** The text of a message that the network got. */
export const textOf = ({ params }: Seen): string => {
  const { message } = params;
  if (!Array.isArray(message)) return "";
  return message.map((one: { data?: { text?: string } }) => one.data?.text ?? "").join("");
};

/** The response to an action whose message the network took. */
const takenOf = (version: 11 | 12, id: string): Frame => ({
  status: "ok",
  retcode: 0,
  data: tongues[version].sent(id),
  message: "",
});

type Told = Frame | null;

/** Answers the actions of Telex. */
function createAnswering(version: 11 | 12, tell: (frame: Frame) => void, { lastId = -2_147_302_767 }) {
  const tongue = tongues[version];
  const seen: Seen[] = [];
  const names: string[] = [];
  /** Answers of the test, by the name of the action; null for none. */
  const answers = new Map<string, (seen: Seen) => Told | Promise<Told>>();
  const state = { mood: "take" as Mood, lastId };

  /** A new message of the network, which is not sent to Telex yet. */
  const compose = (text: string, room: string, user: string): { readonly id: string; readonly frame: Frame } => {
    const id = String((state.lastId += 1));
    return { id, frame: tongue.said({ id, text, room, user }) };
  };
  const send = (order: Seen, echo: string): void => {
    const room = String(order.params["group_id"] ?? order.params["user_id"]);
    const { id, frame } = compose(textOf(order), room, account);
    if (state.mood === "refuse")
      return tell({ status: "failed", retcode: 1200, data: null, message: "rejected", echo });
    seen.push(order);
    if (state.mood === "echo") tell(frame);
    if (state.mood !== "silent") tell({ ...takenOf(version, id), echo });
  };
  const reply = async (answer: Told | Promise<Told>, echo: string): Promise<void> => {
    const frame = await answer;
    if (frame !== null) tell({ ...frame, echo });
  };
  const take = (text: string): void => {
    const { echo, ...action } = request.parse(JSON.parse(text));
    names.push(action.action);
    const own = answers.get(action.action);
    if (own !== undefined) {
      seen.push(action);
      void reply(own(action), echo);
    } else if (tongue.sends.has(action.action)) send(action, echo);
    else tell({ status: "ok", retcode: 0, data: tongue.answer(action.action, state.mood !== "offline") ?? null, echo });
  };
  return { seen, asked: names, answers, state, compose, take };
}

/** An implementation of OneBot that behaves like a separate process: it connects to Telex, and records its actions. */
export function createImplementation(version: 11 | 12, options: ImplementationOptions = {}) {
  const tongue = tongues[version];
  const wires = createWires(version, (text) => answering.take(text));
  const { tell } = wires;
  const answering = createAnswering(version, tell, options);
  const { seen, asked, answers, state, compose } = answering;
  let last: Frame | null = null;

  return {
    ...wires,
    account,
    /** Messages and files, and what `answers` has answered. */
    seen,
    /** The names of all received actions. */
    asked,
    answers,
    compose,
    /** The response to an action whose message the network took. */
    taken: (id: string): Frame => takenOf(version, id),
    /** The texts of the messages that the network has got. */
    texts: () => seen.filter(({ action }) => tongue.sends.has(action)).map(textOf),
    say(text: string, room = "500", user = "1001"): void {
      last = compose(text, room, user).frame;
      tell(last);
    },
    repeat: () => void (last !== null && tell(last)),
    behave(next: Mood): void {
      const wasOffline = state.mood === "offline";
      state.mood = next;
      if (next === "offline" || wasOffline) tell(tongue.state(next !== "offline"));
    },
  };
}

/** An implementation in a test or a simulation. */
export type Implementation = ReturnType<typeof createImplementation>;
