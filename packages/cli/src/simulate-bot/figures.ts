import { percentile } from "../simulate/figures.ts";
import type { SendOutcome } from "./client.ts";

/** The figures of a run, as `--json` prints them. */
export interface BotFigures {
  /** The version of OneBot. */
  readonly version: 11 | 12;
  /** Messages of clients that the server confirmed. */
  readonly sent: number;
  /** Messages of clients with an unknown outcome. */
  readonly unknown: number;
  /** Messages of clients that the server rejected for 30 s. */
  readonly refused: number;
  /** Messages of people of the network. */
  readonly said: number;
  /** Connections between the bot and the server. */
  readonly connections: number;
  /** Messages that are stored twice, or that were rejected and still reached the network. */
  readonly duplicates: number;
  /** Messages that the network or the room lacks. */
  readonly lost: number;
  /** From the first attempt to the confirmation; null without any confirmation. */
  readonly latencyMs: { readonly p50: number | null; readonly p99: number | null };
}

/** The record of a run. Each message has a unique text. */
export interface BotRecord {
  /** Texts of clients. */
  readonly sends: ReadonlyMap<string, SendOutcome>;
  /** Texts of people of the network. */
  readonly said: readonly string[];
  /** Texts that the network accepted from the bot, with repeats. */
  readonly taken: readonly string[];
  /** Texts that the room stored, with repeats. */
  readonly stored: readonly string[];
}

/** A fault of a message. */
interface Problem {
  readonly kind: "lost" | "duplicate";
  readonly text: string;
  /** How often the network and the room have it. */
  readonly network: number;
  readonly room: number;
}

function countOf(texts: readonly string[]): (text: string) => number {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (text) => counts.get(text) ?? 0;
}

/** The fault of a message of a client, given how often the network and the room have it. */
function problemOf(outcome: SendOutcome, network: number, room: number): Problem["kind"] | null {
  if (network > 1 || room > 1) return "duplicate";
  // The client repeats a rejected message.
  if (outcome === "refused" && network === 1) return "duplicate";
  return network === room && (network === 1 || outcome !== "sent") ? null : "lost";
}

/** The lost and doubled messages of a run. */
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
