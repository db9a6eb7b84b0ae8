import { createMemoryBlobs } from "@telex/blobs/memory";
import { createOneBotImplementation } from "@telex/bot-onebot/implementation";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { runFramework } from "./framework.ts";

let address = "";
const implementation = createOneBotImplementation({ baseUrl: () => address });
const telex = await createTelex({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  plugins: [implementation.plugin],
});
const ws = [createWs(telex), implementation];
const { url } = await serve({ telex, http: createHttp(telex), ws, port: Number(process.env["PORT"] ?? 3000) });
address = url;

const { users, tokens, groups } = telex.operator;
const alice = await users.add(operator, { nickname: "alice" });
const helper = await users.add(operator, { nickname: "helper" });
await users.amend(operator, { id: helper.id, oneBot: {} });
const { token } = await tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
const { token: secret } = await tokens.issue(operator, { userId: helper.id, scopes: ["chat"] });
const { groupId } = await groups.add(operator, { groupType: 1, name: "Kitchen", members: [alice.id, helper.id] });

await runFramework(`${url.replace("http", "ws")}/external/api/v1/onebot/v11`, secret);
console.log({ url, token, groupId });
