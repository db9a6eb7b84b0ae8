import { measured } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";

const program = new URL("../servers/send.ts", import.meta.url).pathname;

/** The cost of the search index for a send. */
export const sendWorkloads = (): readonly Workload[] =>
  [1, 32].map((inFlight) => ({
    name: `send ${inFlight}`,
    about: `sends in the process, ${inFlight} in flight, with the index of the search and without`,
    subjects: [{ name: "telex", round: measured(program, (folder) => [folder, String(inFlight)]) }],
  }));
