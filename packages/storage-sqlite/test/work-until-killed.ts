// Calls verbs of all kinds until it is killed, and prints `<kind> <word>` for each one that is durable.
import { person } from "@telex/conformance";
import { createSqliteStorage } from "../src/index.ts";
import { deviceText, printer, roomMessage, uploadOf } from "./messages.ts";

const [, , file = "", round = ""] = process.argv;
const { messages, teleprinter, bucket, ai, tokens, users, accounts } = await createSqliteStorage({
  file,
  exclusive: true,
});

const say = (kind: string, word: string | number): void => void process.stdout.write(`${kind} ${word}\n`);

async function forever(step: (word: string) => Promise<void>): Promise<never> {
  for (let count = 0; ; count += 1) await step(`${round}-${count}`);
}

async function chat(word: string): Promise<void> {
  await messages.append(roomMessage(1, word, word));
  say("message", word);
}

async function enqueue(word: string): Promise<void> {
  await teleprinter.append(deviceText(word));
  say("queued", word);
}

async function poll(word: string): Promise<void> {
  const taken = await teleprinter.take({ ...printer, limit: 3, holder: word, now: 1000, until: 2000 });
  const ids = taken.outcome === "taken" ? taken.messages.map(({ id }) => id) : [];
  for (const id of await teleprinter.deliver({ ...printer, holder: word, ids, ends: true })) say("delivered", id);
  await new Promise((resolve) => setImmediate(resolve));
}

async function upload(word: string): Promise<void> {
  await bucket.issueCode({ digest: word, storageId: "s", expiresAt: 5000 });
  say("code", word);
  await bucket.putFile(uploadOf(word));
  say("file", word);
}

async function reply(word: string): Promise<void> {
  const used = { replies: 1, tokens: 10, started: 1 };
  const reservation = { reservationId: word, userId: 7, day: "2026-11-21", ...used, expiresAt: 9000 };
  const days = { from: "2026-11-21", to: "2026-11-22" };
  await ai.reserve({ reservation, unit: "count", max: 1_000_000, maxStarted: null, days, now: 1000 });
  await ai.settle({ reservationId: word, used });
  say("settled", word);
}

async function admit(word: string): Promise<void> {
  const added = await users.appendUser(person({ nickname: word, ext: word }));
  const userId = added.outcome === "appended" ? added.user.userId : 0;
  await tokens.issueToken({ userId, digest: word, name: null, scopes: ["chat"], createdAt: 1, expiresAt: null });
  say("token", word);
}

/** Creates an account with an invitation for one use, and signs in. */
async function enter(word: string): Promise<void> {
  const names = { linkId: word, digest: word, kind: "invitation", makerId: null, slot: null, data: "{}" } as const;
  await accounts.issueLink({ ...names, uses: 1, createdAt: 1, until: 9000 }, 1_000_000);
  const { ext: _ext, ...user } = person({ nickname: word });
  const settings = {
    role: null,
    showRead: true,
    notify: "all",
    seen: [],
    blocked: [],
    prompts: "[]",
    recovery: null,
    createdAt: 1,
  };
  const account = { username: word, usernameKey: word, passwordHash: null, passkeys: [], identities: [], ...settings };
  const link = { digest: word, kind: "invitation", now: 1000 } as const;
  const created = await accounts.createAccount({ user, account, link });
  if (created.outcome !== "created") throw new Error(created.outcome);
  say("account", word);
  const { userId } = created.account;
  const session = { sessionId: word, digest: word, userId, browser: "", address: "", stay: false, createdAt: 1 };
  const times = { lastUsedAt: 1, until: 9000, absoluteUntil: 9000, confirmedAt: 1 };
  await accounts.createSession({ ...session, ...times }, { rev: 1, limit: 10 });
  say("session", word);
}

await teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
say("claimed", round);
await Promise.all(
  [chat, chat, enqueue, enqueue, poll, upload, reply, admit, enter].map((step, index) =>
    forever((word) => step(`${word}-${index}`)),
  ),
);
