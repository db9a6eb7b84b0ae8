import { DatabaseSync } from "node:sqlite";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createPeople, createPeopleTable } from "./people.ts";

const database = new DatabaseSync(process.env["PEOPLE"] ?? ":memory:");
createPeopleTable(database);
database.exec("INSERT INTO people (display_name, joined) SELECT 'alice', 0 WHERE NOT EXISTS (SELECT 1 FROM people)");

const telex = await createTelex({
  // Every other store stays what it is.
  storage: { ...createMemoryStorage(), users: createPeople(database) },
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
});
const { url } = await serveHttp(createHttp(telex), { port: Number(process.env["PORT"] ?? 3000) });
const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"] });

// Telex keeps people in memory. Code that changes the table in another way tells Telex:
database.exec("UPDATE people SET display_name = 'Alice of the table' WHERE number = 1");
await telex.operator.users.amend(operator, { id: 1 });

console.log({ url, token });
