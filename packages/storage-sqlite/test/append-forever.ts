// Appends to room 1 until it is killed, and prints how many messages are durable.
import { createSqliteStorage } from "../src/index.ts";
import { roomMessage } from "./messages.ts";

const { messages } = await createSqliteStorage({ file: process.argv[2] ?? "" });
for (let count = 0; ; count += 10) {
  process.stdout.write(`${count}\n`);
  await Promise.all(Array.from({ length: 10 }, (_, index) => messages.append(roomMessage(1, `${count + index}`))));
}
