// Opens and so upgrades a database, and appends to room 2 until it is killed. Prints `open`, and each message that is durable.
import { createSqliteStorage } from "../src/index.ts";
import { roomMessage } from "./messages.ts";

const [, , file = "", name = "", role = ""] = process.argv;
const { messages } = await createSqliteStorage({ file, exclusive: role === "server" });
process.stdout.write("open\n");
for (let count = 0; ; count += 1) {
  const content = `${name}-${count}`;
  await messages.append(roomMessage(2, content));
  process.stdout.write(`${content}\n`);
}
