import type { TokenHolder } from "@telex/ground/contract";
import type { Logger } from "@telex/ground/log";
import type { LiveConnections } from "@telex/ground/live";
import type { UserRecord } from "../records/users.ts";

type FindUser = (userId: number) => Promise<UserRecord | null>;

/** True if the holder is a suspended user, or if the user is suspended who issued the token as an admin. */
export async function isSuspended({ userId, issuerId }: TokenHolder, findUser: FindUser): Promise<boolean> {
  if ((await findUser(userId))?.suspended === true) return true;
  return issuerId !== undefined && issuerId !== userId && (await findUser(issuerId))?.suspended === true;
}

interface SuspensionDeps {
  /** The user as the storage has it after the last change that this process knows. */
  readonly findUser: FindUser;
  readonly live: Pick<LiveConnections<never>, "endUser" | "restoreUser">;
  readonly log: Logger;
}

/** Ends and restores the connections of users who are suspended and resumed. */
export interface Suspensions {
  /** A user has changed. Resolves when the connections agree with it, or when it could not be read: `tick` reads it again. */
  changed(userId: number): Promise<void>;
  /** Reads again what could not be read. */
  tick(): void;
}

/** Reads one user after another, so that an earlier state of a user never replaces a later one. */
export function createSuspensions({ findUser, live, log }: SuspensionDeps): Suspensions {
  const due = new Set<number>();
  let running: Promise<void> | null = null;
  let isFailing = false;
  async function apply(userId: number): Promise<void> {
    if ((await findUser(userId))?.suspended === true) live.endUser(userId);
    else live.restoreUser(userId);
  }
  async function applyDue(userId: number): Promise<void> {
    due.delete(userId);
    await apply(userId).catch((cause: unknown) => {
      due.add(userId);
      throw cause;
    });
  }

  async function run(): Promise<void> {
    try {
      // A user who changes during this is added again, and read again.
      for (const userId of due) await applyDue(userId);
      isFailing = false;
    } catch (cause) {
      if (!isFailing) log.error("user.check_failed", {}, cause);
      isFailing = true;
    } finally {
      running = null;
    }
  }
  return {
    async changed(userId) {
      due.add(userId);
      await (running ??= run());
    },
    tick() {
      if (due.size > 0) running ??= run();
    },
  };
}
