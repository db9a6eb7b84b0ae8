// Appends the given number of messages to room 1, ten at a time, and renames user 1 at the end.
import { createSqliteStorage } from "../src/index.ts";
import { roomMessage } from "./messages.ts";

const [, , file = "", count = "0"] = process.argv;
const storage = await createSqliteStorage({ file });
const { messages, users } = storage;
process.stdout.write("ready\n");
for (let done = 0; done < Number(count); done += 10) {
  await Promise.all(Array.from({ length: 10 }, (_, index) => messages.append(roomMessage(1, `child ${done + index}`))));
}
await users.amendUser(1, { nickname: "Renamed" });
await storage.close();
