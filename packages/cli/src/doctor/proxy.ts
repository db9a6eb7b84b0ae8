import { settings } from "../settings/table.ts";
import { type Check, fail, type Finding, ok, warn } from "./finding.ts";
import { answersAsTelex } from "./health.ts";

const patience = 5000;

/** Looks at the server from outside, at the address that clients use: Telex must answer, and sockets must open. */
export const checkProxy: Check = async ({ get }) => {
  const baseUrl = get(settings.baseUrl)?.replace(/\/$/, "");
  if (baseUrl === undefined) return ok("baseUrl is not set: clients use the server's own address");
  const answers = await answersAsTelex(baseUrl, patience);
  if (answers === null)
    return warn(`nothing answers at ${baseUrl}`, "Start the server and the proxy, then check again.");
  if (answers) return checkSocket(baseUrl);
  const hint = "Correct --base-url, or the address that the proxy passes requests to.";
  return fail(`the server at ${baseUrl} is not Telex`, hint);
};

async function checkSocket(baseUrl: string): Promise<Finding> {
  if (await opensSocket(baseUrl)) return ok(`${baseUrl} answers, and passes WebSockets on`);
  const hint = "Have the proxy pass on the headers Upgrade and Connection, over HTTP/1.1.";
  return fail(`${baseUrl} answers, but its proxy does not pass WebSockets on`, hint);
}

/** Opens the socket of rooms without a token. Telex accepts it, and waits for a frame that signs in. */
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
