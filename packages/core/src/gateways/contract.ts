import { z } from "zod";
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
  })
  .meta({ id: "Bot" });

/** What the operator does with the accounts of external networks. */
export const botsContract = defineContract({
  list: {
    summary: "Lists the accounts of external networks, in the order of their gateways.",
    access: "operator",
    input: z.object({}),
    output: z.array(bot),
    errors: [],
  },
});

/** The type of {@link botsContract}, by name. */
export interface BotsContract extends Readonly<typeof botsContract> {}
/** An account of an external network as the operator sees it. */
export type BotView = z.output<typeof bot>;
