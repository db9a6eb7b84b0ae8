import { withClient } from "../client/with-client.ts";
import type { Server } from "../client/server.ts";
import { printFields, printJson } from "../terminal/output.ts";
import { describeStatus, type Status } from "./figures.ts";

export const readStatus = async (server: Server): Promise<Status> =>
  await withClient(server, async ({ operator }) => await operator.server.status({}));

/** `telex status` */
export async function showStatus(server: Server, json: boolean): Promise<void> {
  const status = await readStatus(server);
  if (json) printJson(status);
  else printFields({ server: server.url, name: status.server, ...describeStatus(status) });
}
