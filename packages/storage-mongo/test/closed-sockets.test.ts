import { expect, it } from "vitest";
import { again } from "./support/again.ts";
import { messageIn, newDatabase, openStorage, person } from "./support/database.ts";
import { noteSockets } from "./support/sockets.ts";

// The driver notices a closed socket one phase of the event loop later. Commands that it writes until then are never answered.
it("a command written to a socket that has just closed delays neither its caller nor the next one", async () => {
  const url = newDatabase();
  // Creates the indexes without the short timeout, which only the commands below need.
  await openStorage({ url });
  const sockets = noteSockets();
  const storage = await openStorage({ url, timeout: 1000 });
  await storage.users.appendUser(person);
  await storage.messages.append(messageIn(7, "before"));
  for (const socket of sockets) socket.destroy();
  const calls = [storage.users.findUser(1), storage.messages.append(messageIn(7, "during"))];
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "storage_unavailable" });
  }
  expect(await again(() => storage.users.findUser(1))).toMatchObject({ userId: 1 });
  await again(() => storage.messages.append(messageIn(7, "after")));
});
