import { operator, type Telex, TelexError } from "@telex/core";
import { anything, createApi } from "../crash/support/api.ts";
import { paths } from "../crash/support/paths.ts";
import { openSocket, type Socket } from "../crash/support/socket.ts";
import type { Person } from "./ground.ts";
import { count, retryPause, pause, type Run, times } from "./run.ts";

/** An operator command on the database, repeated until the database responds. */
async function operate<T>(run: Run, kind: string, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const done = await act();
      count(run, kind, true);
      return done;
    } catch (error) {
      if (!(error instanceof TelexError) || error.code !== "storage_unavailable") throw error;
      count(run, kind, false);
      await retryPause();
    }
  }
}

/** Opens `several` connections with a new token of this user through the load balancer, which spreads them. */
async function openSeveral(run: Run, token: string, several: number): Promise<Socket<"rooms">[]> {
  const opened = await Promise.all(times(several, () => openSocket({ url: run.url, token, channel: "rooms" })));
  for (const socket of opened) count(run, "connect with a token", socket !== null);
  return opened.filter((socket) => socket !== null);
}

/** True if a server refuses the token. */
async function isRefused(url: string, token: string): Promise<boolean> {
  const outcome = await createApi(url, token).get(paths.userId, {}, anything);
  return outcome.kind === "refused" && outcome.status === 401;
}

/** Issues tokens, connects with them to all servers, and revokes them. Every connection must end, on each server. */
export async function revoke(run: Run, telex: Telex, { id: userId }: Person): Promise<void> {
  const { tokens } = telex.operator;
  while (!run.isOver) {
    const { token } = await operate(run, "issue", () => tokens.issue(operator, { userId, scopes: ["chat"] }));
    const sockets = await openSeveral(run, token, 6);
    await operate(run, "revoke", () => tokens.revoke(operator, { token }));
    await Promise.all(sockets.map(({ ended }) => ended));
    while (!(await isRefused(run.url, token))) await retryPause();
    run.revoked.push(token);
    await pause(run, 500);
  }
}

/** This server must refuse every revoked token. */
export async function checkRevoked(
  run: Run,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<void> {
  for (const token of run.revoked) {
    if (!(await isRefused(url, token))) run.problems.push(`${name} accepts a token that was revoked`);
  }
}
