import type { Clock, GatewayCheck } from "@telex/core";
import type { Kept } from "../link/keep-socket.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Action, Answer, Ask } from "../wire/frames.ts";
import type { OneBotAccount } from "./options.ts";
import type { Standing } from "./standing.ts";

/** Milliseconds for an implementation to answer each question. */
const questionTime = 8000;

interface CheckDeps {
  readonly clock: Clock;
  readonly ask: Ask;
}

/** A question, and the sentence for a good answer; null for a bad one. */
interface Question {
  readonly name: string;
  readonly action: Action;
  readonly good: (data: unknown) => string | null;
}

const questionsOf = (dialect: Dialect): readonly Question[] => [
  {
    name: "version",
    action: dialect.about,
    good: (data) => {
      const about = dialect.readAbout(data);
      return about === null ? null : `The program at the other end is ${about}.`;
    },
  },
  {
    name: "identity",
    action: dialect.login,
    good: (data) => {
      const ext = dialect.readLogin(data);
      return ext === null ? null : `Its account in the network is ${ext}.`;
    },
  },
  {
    name: "account",
    action: dialect.status,
    good: (data) => {
      const isOnline = dialect.readStatus(data, dialect.readIdentity(data)?.ext ?? null);
      return isOnline === false ? null : "It says that the account is signed in to the network.";
    },
  },
  {
    name: "actions",
    action: dialect.groups,
    good: (data) => (Array.isArray(data) ? `It runs actions: it has listed its ${data.length} groups.` : null),
  },
];

const whyNot = ({ action }: Action, answer: Answer): string => {
  if (answer.outcome === "failed") return `It refuses ${action}: ${answer.text} (${answer.retcode}).`;
  if (answer.outcome === "unsent") return `Its connection was lost before ${action} was sent.`;
  return `It has not answered ${action} within ${questionTime / 1000} s.`;
};

async function askOne({ clock, ask }: CheckDeps, { name, action, good }: Question): Promise<GatewayCheck> {
  const late = new AbortController();
  const cancel = clock.after(questionTime, () => late.abort());
  const answer = await ask(action, late.signal).finally(cancel);
  if (answer.outcome !== "ok") return { name, ok: false, detail: whyNot(action, answer) };
  const detail = good(answer.data);
  if (detail !== null) return { name, ok: true, detail };
  const wrong = name === "account" ? "It says that the account is not signed in to the network." : null;
  return { name, ok: false, detail: wrong ?? `It answers ${action.action} with something that is not understood.` };
}

/** Asks an implementation that is connected everything that sending and receiving needs, simultaneously. */
const checkConnection = (deps: CheckDeps, dialect: Dialect): Promise<readonly GatewayCheck[]> =>
  Promise.all(questionsOf(dialect).map((question) => askOne(deps, question)));

interface AccountCheckDeps extends CheckDeps {
  readonly slots: { readonly api: unknown; readonly isEmpty: boolean };
  readonly session: () => { readonly dialect: Dialect } | null;
  readonly standing: Pick<Standing, "problem">;
  readonly right: { readonly dialed: Kept | null };
}

/** The reason why there is no connection. */
function whyNoConnection({ slots, standing }: AccountCheckDeps, { connect, token }: OneBotAccount): string {
  if (!slots.isEmpty) return "The bot has opened a connection for events, and none for actions (X-Client-Role: API).";
  if (standing.problem !== null) return standing.problem.text;
  if (connect !== undefined) return "Telex has not connected to the bot yet.";
  const shown = token === null ? "" : " with the secret of this account as its access token";
  return `No bot has connected to /onebot${shown} since the server started.`;
}

/** Tests an account: its connection first, and then everything else over it. */
export async function checkAccount(deps: AccountCheckDeps, options: OneBotAccount): Promise<readonly GatewayCheck[]> {
  const { slots, session, right } = deps;
  if (slots.api === null) await right.dialed?.retry();
  const dialect = slots.api === null ? null : (session()?.dialect ?? null);
  if (slots.api === null) return [{ name: "connection", ok: false, detail: whyNoConnection(deps, options) }];
  if (dialect === null) {
    const detail = "A bot is connected, and has not shown yet whether it speaks OneBot 11 or 12. Try again in 2 s.";
    return [{ name: "connection", ok: false, detail }];
  }
  const opened = { name: "connection", ok: true, detail: `A bot is connected, and speaks OneBot ${dialect.version}.` };
  return [opened, ...(await checkConnection(deps, dialect))];
}
