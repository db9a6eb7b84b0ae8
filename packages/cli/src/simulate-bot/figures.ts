import { percentile } from "../simulate/figures.ts";
import type { SendOutcome } from "./client.ts";

/** What a run has come to; `--json` prints it as it is. */
export interface BotFigures {
  /** The version of OneBot. */
  readonly version: 11 | 12;
  /** Messages of clients that the server confirmed. */
  readonly sent: number;
  /** Messages of clients whose outcome the server could not tell. */
  readonly unknown: number;
  /** Messages of clients that the server refused for 30 s. */
  readonly refused: number;
  /** Messages of people of the network. */
  readonly said: number;
  /** Connections between the bot and the server. */
  readonly connections: number;
  /** Messages that are twice in the network or the room, or that were refused and are in the network. */
  readonly duplicates: number;
  /** Messages that are missing in the network or the room. */
  readonly lost: number;
  /** From the first attempt of a client until the confirmation; null if nothing was confirmed. */
  readonly latencyMs: { readonly p50: number | null; readonly p99: number | null };
}

/** What was done in a run, and where it can be found. Each message has a text of its own. */
export interface BotRecord {
  /** Texts of clients. */
  readonly sends: ReadonlyMap<string, SendOutcome>;
  /** Texts that people of the network have said. */
  readonly said: readonly string[];
  /** Texts that the network has taken from the bot, each time. */
  readonly taken: readonly string[];
  /** Texts that the room has stored, each time. */
  readonly stored: readonly string[];
}

/** What is wrong with a message. */
interface Problem {
  readonly kind: "lost" | "duplicate";
  readonly text: string;
  /** How often the network has it, and the room. */
  readonly network: number;
  readonly room: number;
}

function countOf(texts: readonly string[]): (text: string) => number {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (text) => counts.get(text) ?? 0;
}

/** What is wrong with a message of a client that is in the network and in the room so often. */
function problemOf(outcome: SendOutcome, network: number, room: number): Problem["kind"] | null {
  if (network > 1 || room > 1) return "duplicate";
  // A client sends a refused message again.
  if (outcome === "refused" && network === 1) return "duplicate";
  const isWhole = network === room && (network === 1 || outcome !== "sent");
  return isWhole ? null : "lost";
}

/** The messages of a run that were lost, or are somewhere twice. */
export function compareBot({ sends, said, taken, stored }: BotRecord): Problem[] {
  const [inNetwork, inRoom] = [countOf(taken), countOf(stored)];
  const ofClients = [...sends].map(([text, outcome]) => {
    const [network, room] = [inNetwork(text), inRoom(text)];
    return { kind: problemOf(outcome, network, room), text, network, room };
  });
  const ofPeople = said.map((text) => {
    const room = inRoom(text);
    const kind = room === 1 ? null : room === 0 ? ("lost" as const) : ("duplicate" as const);
    return { kind, text, network: 1, room };
  });
  return [...ofClients, ...ofPeople].flatMap(({ kind, ...rest }) => (kind === null ? [] : [{ kind, ...rest }]));
}

/** The figures of a run. */
export function sumUpBot(
  { sends, said }: BotRecord,
  problems: readonly Problem[],
  { version, connections, latencies }: Pick<BotFigures, "version" | "connections"> & { readonly latencies: number[] },
): BotFigures {
  const outcomes = countOf([...sends.values()]);
  const kinds = countOf(problems.map(({ kind }) => kind));
  return {
    version,
    sent: outcomes("sent"),
    unknown: outcomes("unknown"),
    refused: outcomes("refused"),
    said: said.length,
    connections,
    duplicates: kinds("duplicate"),
    lost: kinds("lost"),
    latencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  };
}
