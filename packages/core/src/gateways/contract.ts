import { z } from "zod";
import { secretText, text, timestamp, defineContract, groupType } from "@telex/ground/contract";

/** Why an account is not online. */
const problem = z.object({
  code: z.string().meta({ description: "A word for programs, such as `connect_failed`." }),
  text: z.string().meta({ description: "A sentence in English." }),
  at: timestamp,
});

/** An account of an external network as the operator sees it. */
const bot = z
  .object({
    gateway: z.string().meta({ description: "The name of its gateway." }),
    account: z.string().meta({ description: "Its name here: the `bot` of its own rooms." }),
    name: z.string().nullable().meta({ description: "Its name for people; null for none." }),
    network: z.string(),
    official: z.boolean().meta({ description: "True if it serves the rooms of the types 0 and 3." }),
    groupTypes: z.array(groupType).meta({ description: "The types of the rooms that it serves." }),
    connected: z.boolean().meta({ description: "True while the connection to the network is open." }),
    online: z.boolean().meta({ description: "True while the connection is open and the account is signed in." }),
    stored: z.boolean().meta({ description: "False for an account of the server's own program." }),
    connect: z
      .string()
      .nullable()
      .meta({ description: "Where Telex connects to, secrets masked; null if the bot connects to Telex." }),
    protocol: z.int().nullable().meta({ description: "11 or 12; null for what the connection shows." }),
    minInterval: z.int().nullable().meta({ description: "Milliseconds between two messages; null if not known." }),
    server: z
      .string()
      .nullable()
      .meta({ description: "The server that has its connection, or tries to; null for none." }),
    since: timestamp.nullable().meta({ description: "When its state last changed; null if it was never seen." }),
    ext: z.string().nullable().meta({ description: "Its ID in the network; null if that is not known." }),
    version: z.string().nullable().meta({ description: "The version of the protocol that its connection has shown." }),
    implementation: z.string().nullable().meta({ description: "The program that connects it, as it says." }),
    problem: problem.nullable().meta({ description: "Why it is not online; null if it is, or was never seen." }),
  })
  .meta({ id: "Bot" });

const test = z
  .object({
    account: z.string(),
    ok: z.boolean().meta({ description: "True if everything works." }),
    server: z.string().nullable().meta({ description: "The server that has tried it; null if none has answered." }),
    checks: z
      .array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() }))
      .meta({ description: "The steps in their order. `detail` is a sentence in English." }),
  })
  .meta({ id: "BotTest" });

const account = text(1, 64).meta({ description: "Its name here, such as its ID in the network." });
const name = text(1, 64).meta({ description: "Its name for people." });
const secret = secretText(8, 512)
  .nullable()
  .meta({ description: "The bot shows it when it connects. Null: connections without a secret are accepted." });
const connect = z
  .url({ protocol: /^(ws|http)s?$/ })
  .refine((url) => url.length <= 2048)
  .meta({ maxLength: 2048, description: "An address of WebSocket, or of HTTP for a bot that posts its events." });
const protocol = z.literal([11, 12]);
const minInterval = z.int().min(0).max(3_600_000).meta({ description: "Milliseconds between two messages." });

export const botsContract = defineContract({
  list: {
    summary: "Lists the accounts of external networks, in the order of their gateways.",
    access: "operator",
    input: z.object({}),
    output: z.array(bot),
    errors: [],
  },
  add: {
    summary:
      "Adds an account of an external network. The secret is not shown again. If an admin adds it, each room that it connects is told first.",
    access: "operator",
    input: z.object({
      account,
      name: name.optional(),
      gateway: text(1, 64).default("onebot"),
      network: text(1, 64).default("qq"),
      official: z.boolean().default(false).meta({ description: "Serves the rooms of the types 0 and 3." }),
      secret: secret.optional(),
      connect: connect.optional(),
      protocol: protocol.optional(),
      minInterval: minInterval.default(1200),
    }),
    output: bot.extend({ token: z.string().nullable().meta({ description: "The secret; null if none is needed." }) }),
    errors: ["group_taken"],
    event: "bot.changed",
  },
  amend: {
    summary:
      "Changes an account of an external network. It connects again, unless only its name changes. If an admin changes its secret, `connect` or `official`, each of its rooms is told first.",
    access: "operator",
    input: z.object({
      account,
      name: name.nullable().optional(),
      network: text(1, 64).optional(),
      official: z.boolean().optional(),
      secret: secret.optional(),
      connect: connect.nullable().optional(),
      protocol: protocol.nullable().optional(),
      minInterval: minInterval.optional(),
    }),
    output: bot,
    errors: ["not_found", "group_taken"],
    event: "bot.changed",
  },
  test: {
    summary: "Tests an account on the server that has its connection, and reports which steps work.",
    access: "operator",
    input: z.object({ account }),
    output: test,
    errors: ["not_found", "busy"],
  },
  remove: {
    summary:
      "Removes an account of an external network. Its rooms stay; if an admin removes it, each of them is told first.",
    access: "operator",
    input: z.object({ account }),
    output: z.null(),
    errors: ["not_found"],
    event: "bot.changed",
  },
});

/** The result of trying an account. */
export type BotTest = z.output<typeof test>;
export interface BotsContract extends Readonly<typeof botsContract> {}
/** An account of an external network as the operator sees it. */
export type BotView = z.output<typeof bot>;
