// Stores messages until the disk fails, and prints the outcome of each. Then tries everything once more.
import { TelexError } from "@telex/core";
import { createSqliteStorage } from "../src/index.ts";
import { roomMessage } from "./messages.ts";

const [, , file = ""] = process.argv;
const storage = await createSqliteStorage({ file, exclusive: true });

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The code of the error of a call that is expected to fail. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (TelexError.is(error) ? error.code : String(error)),
  );

for (let count = 0; ; count += 1) {
  const outcome = await refusal(storage.messages.append(roomMessage(1, `${count}`)));
  if (outcome === "done") say(`stored ${count}`);
  else {
    say(`append ${outcome}`);
    break;
  }
}
say(`append ${await refusal(storage.messages.append(roomMessage(1, "again")))}`);
say(`read ${await refusal(storage.messages.page({ groupId: 1, before: null, limit: 10 }))}`);
const another = await createSqliteStorage({ file, busyTimeout: 100 });
say(`another ${await refusal(another.messages.append(roomMessage(1, "behind")))}`);
await another.close();
await storage.close();
say("closed");
