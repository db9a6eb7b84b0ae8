import { z } from "zod";
import { text } from "../contract/fields.ts";
import { defineContract } from "../contract/operation.ts";
import { groupType } from "../groups/group-type.ts";

/** An account of an external network as the operator sees it. */
const bot = z
  .object({
    gateway: z.string().meta({ description: "The name of its gateway." }),
    account: z.string().meta({ description: "Its name here: the `bot` of its own rooms." }),
    network: z.string(),
    groupTypes: z.array(groupType).meta({ description: "The types of the rooms that it serves." }),
    connected: z.boolean().meta({ description: "True while the connection to the network is open." }),
    online: z.boolean().meta({ description: "True while the connection is open and the account is signed in." }),
    stored: z.boolean().meta({ description: "False for an account of the server's own program." }),
    connect: z.string().nullable().meta({ description: "Where Telex connects to; null if the bot connects to Telex." }),
    protocol: z.int().nullable().meta({ description: "11 or 12; null for what the connection shows." }),
    minInterval: z.int().nullable().meta({ description: "Milliseconds between two messages; null if not known." }),
  })
  .meta({ id: "Bot" });

const account = text(1, 64).meta({ description: "Its name here, such as its ID in the network." });
const secret = text(1, 512)
  .nullable()
  .meta({ description: "What the bot shows when it connects. Null: connections without a secret are taken." });
const connect = z
  .url({ protocol: /^(ws|http)s?$/ })
  .max(2048)
  .meta({ description: "`ws://`, `wss://`, or `http://` or `https://` for a bot that posts its events." });
const protocol = z.literal([11, 12]);
const minInterval = z.int().min(0).max(3_600_000).meta({ description: "Milliseconds between two messages." });

/** What the operator does with the accounts of external networks. */
export const botsContract = defineContract({
  list: {
    summary: "Lists the accounts of external networks, in the order of their gateways.",
    access: "operator",
    input: z.object({}),
    output: z.array(bot),
    errors: [],
  },
  add: {
    summary: "Adds an account of an external network. The secret is not shown again.",
    access: "operator",
    input: z.object({
      account,
      gateway: text(1, 64).default("onebot"),
      network: text(1, 64).default("qq"),
      official: z.boolean().default(false).meta({ description: "Serves the rooms of the types 0 and 3." }),
      secret: secret.optional(),
      connect: connect.optional(),
      protocol: protocol.optional(),
      minInterval: minInterval.default(1200),
    }),
    output: bot.extend({ token: z.string().nullable().meta({ description: "The secret; null if none is needed." }) }),
    errors: [],
    event: "bot.changed",
  },
  amend: {
    summary: "Changes an account of an external network. It connects again.",
    access: "operator",
    input: z.object({
      account,
      network: text(1, 64).optional(),
      official: z.boolean().optional(),
      secret: secret.optional(),
      connect: connect.nullable().optional(),
      protocol: protocol.nullable().optional(),
      minInterval: minInterval.optional(),
    }),
    output: bot,
    errors: ["not_found"],
    event: "bot.changed",
  },
  remove: {
    summary: "Removes an account of an external network. Its rooms stay.",
    access: "operator",
    input: z.object({ account }),
    output: z.null(),
    errors: ["not_found"],
    event: "bot.changed",
  },
});

/** The type of {@link botsContract}, by name. */
export interface BotsContract extends Readonly<typeof botsContract> {}
/** An account of an external network as the operator sees it. */
export type BotView = z.output<typeof bot>;
