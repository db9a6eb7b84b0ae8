import type { Page } from "playwright-core";
import type { useAccounts } from "../accounts.ts";
import type { PuppetModel } from "../models.ts";
import type { Hands } from "./hands.ts";
import type { Sockets } from "./hold.ts";
import type { People } from "./people.ts";

/** The server of the tasks, its people, and the page. */
export interface Stage {
  readonly server: Awaited<ReturnType<typeof useAccounts>>;
  readonly people: People;
  readonly page: Page;
  readonly sockets: Sockets;
  /** The model that answers questions. */
  readonly puppet: PuppetModel;
  /** The link that creates the account of the first admin. */
  readonly setupUrl: string;
}

/** A task of a person on a page. */
export interface Task {
  /** Prepares the task. Resolves with the path below `/user/` at which it starts. */
  readonly begin: (stage: Stage) => Promise<string> | string;
  /** Performs the task with the keyboard, except for its last key. */
  readonly act: (hands: Hands) => Promise<void>;
  /** The method of its call, and the end of the path. `SEND` is a command of a socket, with its name. */
  readonly call: readonly [method: "DELETE" | "GET" | "PATCH" | "POST" | "SEND", path: RegExp];
  /** The last key. Default: Enter. Null if `act` has already pressed it. */
  readonly key?: string | null;
  /** Waits until the page shows that the task is complete. */
  readonly done: (page: Page) => Promise<void>;
}

export type Tasks = Readonly<Record<string, Task>>;
