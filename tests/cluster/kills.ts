import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";
import type { Node, ServerNode } from "./nodes.ts";
import { retryPause, type Run } from "./run.ts";

/** The processes that the test kills. */
export interface Cluster {
  readonly servers: readonly ServerNode[];
  readonly database: Node;
  /** Empty if the servers communicate over change streams of the database. */
  readonly nats: readonly Node[];
}

/** Milliseconds from the kill of a process until every speaker is answered again, by the name of the process. */
export type Recoveries = Map<string, number[]>;

/** Every eighth kill is the database, every fourth one NATS, if there is any; the others are servers. */
function victimOf({ servers, database, nats }: Cluster, round: number, random: Random): Node {
  const choose = (nodes: readonly Node[]): Node => nodes[Math.floor(random.next() * nodes.length)] ?? database;
  if (round % 8 === 3) return database;
  return round % 4 === 2 && nats.length > 0 ? choose(nats) : choose(servers);
}

const answeredTexts = ({ counts }: Run): number => counts.get("say")?.done ?? 0;

/** Measures the time until as many texts are confirmed as there are speakers. */
async function noteRecovery(run: Run, { name }: Node, speakers: number, recoveries: Recoveries): Promise<void> {
  const [kind = name] = name.split(" ");
  const [killed, before] = [performance.now(), answeredTexts(run)];
  while (answeredTexts(run) < before + speakers) {
    if (run.isOver) return;
    await retryPause();
  }
  recoveries.set(kind, [...(recoveries.get(kind) ?? []), performance.now() - killed]);
}

/** Kills one process after another, and starts it again. */
export async function killAll(
  run: Run,
  cluster: Cluster,
  {
    kills,
    speakers,
    onKill,
  }: { readonly kills: number; readonly speakers: number; readonly onKill: (round: number) => void },
): Promise<Recoveries> {
  const { random } = run;
  const recoveries: Recoveries = new Map();
  for (let round = 0; round < kills; round += 1) {
    await delay(200 + random.next() * 800);
    const victim = victimOf(cluster, round, random);
    onKill(round);
    await victim.kill();
    void noteRecovery(run, victim, speakers, recoveries);
    await delay(random.next() * 500);
    await victim.start();
    process.stdout.write(`  killed ${victim.name}\n`);
  }
  return recoveries;
}
