import { fieldOf } from "../unknown.ts";
import { settings } from "../settings/table.ts";
import type { Check, Finding } from "./finding.ts";

const patience = 5000;

/** Looks at the server from outside, at the address that clients use: whether it is Telex that answers, and whether sockets open. */
export const checkProxy: Check = async ({ get }): Promise<Finding> => {
  const baseUrl = get(settings.baseUrl)?.replace(/\/$/, "");
  if (baseUrl === undefined)
    return { status: "ok", detail: "baseUrl is not set: clients use the server's own address" };
  const answers = await answersAsTelex(baseUrl);
  if (answers === null)
    return {
      status: "warn",
      detail: `nothing answers at ${baseUrl}`,
      hint: "Start the server and the proxy, then check again.",
    };
  if (!answers)
    return {
      status: "fail",
      detail: `what answers at ${baseUrl} is not Telex`,
      hint: "Correct --base-url, or the address that the proxy passes requests to.",
    };
  if (await opensSocket(baseUrl)) return { status: "ok", detail: `${baseUrl} answers, and passes WebSockets on` };
  return {
    status: "fail",
    detail: `${baseUrl} answers, but its proxy does not pass WebSockets on`,
    hint: "Have the proxy pass on the headers Upgrade and Connection, over HTTP/1.1.",
  };
};

/** Null if nothing answers. */
async function answersAsTelex(baseUrl: string): Promise<boolean | null> {
  const response = await fetch(`${baseUrl}/healthz`, {
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  }).catch(() => null);
  if (response === null) return null;
  const body: unknown = await response.json().catch(() => null);
  return fieldOf(body, "code") !== undefined && fieldOf(body, "data") !== undefined;
}

/** Opens the socket of rooms without a token. Telex takes it, and waits for a frame that signs in. */
async function opensSocket(baseUrl: string): Promise<boolean> {
  const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/external/api/v1/im/imWebSocket`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patience);
  socket.addEventListener("open", () => resolve(true));
  socket.addEventListener("error", () => resolve(false));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
