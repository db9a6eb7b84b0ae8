import { createFsBlobs } from "@telex/blobs/fs";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createRateLimiter, defaultRateLimits } from "@telex/core/transport";
import { createSqliteStorage } from "@telex/storage-sqlite";

const data = process.env["DATA"] ?? "data";

/** Telex itself: everything except the server. It keeps what it stores in the folder `data`. */
export const telex = await createTelex({
  storage: await createSqliteStorage({ file: `${data}/telex.db` }),
  blobs: createFsBlobs({ directory: `${data}/blobs` }),
  images: createSharpEngine(),
});

/** Counts the calls of each token and address, over HTTP and sockets together. */
export const rateLimiter = createRateLimiter(defaultRateLimits, telex);

/** Adds a user and a room at the first start, and prints how to call Telex. Remove it when you have your own users. */
export async function welcome(server: { address(): unknown }): Promise<void> {
  const address = server.address();
  const port = typeof address === "object" && address !== null && "port" in address ? String(address.port) : "";
  const url = `http://127.0.0.1:${port}/telex`;
  console.log(`Telex answers below ${url}. Its reference is at ${url}/reference`);
  const [known] = await telex.operator.users.list(operator, { limit: 1 });
  if (known !== undefined) return;
  const { id } = await telex.operator.users.add(operator, { nickname: "alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  await telex.operator.groups.add(operator, { groupType: 1, name: "Teahouse", members: [id] });
  console.log(`The user alice was added. This token is shown only once: ${token}`);
  console.log(`Try it: curl -H "Authorization: Bearer ${token}" ${url}/external/api/v1/oauth2/userId`);
}
