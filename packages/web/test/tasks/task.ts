import type { Page } from "playwright-core";
import type { useAccounts } from "../accounts.ts";
import type { PuppetModel } from "../models.ts";
import type { Hands } from "./hands.ts";
import type { Wire } from "./hold.ts";
import type { People } from "./people.ts";

/** The server of the tasks, the people on it, and the page. */
export interface Stage {
  readonly server: Awaited<ReturnType<typeof useAccounts>>;
  readonly people: People;
  readonly page: Page;
  readonly wire: Wire;
  /** The model that answers questions. */
  readonly puppet: PuppetModel;
  /** The link that opens the account of the first admin. */
  readonly setupUrl: string;
}

/** Something that a person does on a page. */
export interface Task {
  /** Makes everything that the task needs. Resolves with the address below `/user/` at which it begins. */
  readonly begin: (stage: Stage) => Promise<string> | string;
  /** Does the task with the keyboard, except for its last key. */
  readonly act: (hands: Hands) => Promise<void>;
  /** The method of the call that does it, and the end of its path. `SEND`: a command of a socket, and its name. */
  readonly call: readonly [method: "DELETE" | "GET" | "PATCH" | "POST" | "SEND", path: RegExp];
  /** The last key. Default: Enter. Null if `act` has pressed it. */
  readonly key?: string | null;
  /** Waits until the page shows that the task is done. */
  readonly done: (page: Page) => Promise<void>;
}

/** Tasks by their names. */
export type Tasks = Readonly<Record<string, Task>>;
