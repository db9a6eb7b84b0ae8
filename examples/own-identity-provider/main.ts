import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createIdentity } from "./identity.ts";

const issuer = process.env["ISSUER"] ?? "https://login.example.org";
const storage = createMemoryStorage();
const { users } = storage;
const telex = await createTelex({
  storage,
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  tokens: createIdentity({
    issuer,
    audience: "telex",
    // Anyone who comes for the first time becomes a user; the subject of the token is kept as the external ID.
    async userOf(subject, name) {
      const known = await users.findUserByExt(subject);
      if (known !== null) return known.userId;
      const person = {
        nickname: name,
        ext: subject,
        phone: null,
        avatar: null,
        ai: null,
        oneBot: null,
        suspended: false,
        createdAt: Date.now(),
      };
      const added = await users.appendUser(person);
      // Of two simultaneous first requests, the other one was quicker.
      return added.outcome === "appended" ? added.user.userId : await this.userOf(subject, name);
    },
  }),
});
const { url } = await serveHttp(createHttp(telex), { port: Number(process.env["PORT"] ?? 3000) });
console.log({ url, issuer });
