import { z } from "zod";
import { shownConnect } from "@telex/ground/options";
import type { UserStore } from "./store.ts";
import type { UserRecord } from "../records/users.ts";

/** The connection of OneBot frameworks to a user. Stored as JSON in one field of the user. */
const oneBotSettings = z.strictObject({
  /** Where a framework waits for Telex to connect: `ws://`, `wss://`, `http://` or `https://`. Null: it connects to Telex. */
  connect: z.string().nullable(),
  /** The access token of Telex there; over HTTP also the key of the signature. */
  secret: z.string().nullable(),
  /** The version of OneBot that is spoken there. */
  protocol: z.literal([11, 12]),
  /** True if frameworks get the user's own messages as events. */
  self: z.boolean(),
});

/** The connection of OneBot frameworks to a user. */
interface OneBotSettings extends Readonly<z.output<typeof oneBotSettings>> {}

/** A user that was just made reachable. */
const plain: OneBotSettings = { connect: null, secret: null, protocol: 11, self: false };

/** The settings in the field of a user; null if frameworks do not reach the user. */
export const readOneBot = (field: string | null): OneBotSettings | null =>
  field === null ? null : oneBotSettings.parse(JSON.parse(field));

/** The field of a user after a change; null makes the user unreachable. The address that was shown changes nothing. */
export function amendOneBot(
  field: string | null,
  change: { readonly [K in keyof OneBotSettings]?: OneBotSettings[K] | undefined } | null,
): string | null {
  if (change === null) return null;
  const { connect, secret, protocol, self } = readOneBot(field) ?? plain;
  return JSON.stringify({
    connect: change.connect === undefined || change.connect === shownConnect(connect) ? connect : change.connect,
    secret: change.secret === undefined ? secret : change.secret,
    protocol: change.protocol ?? protocol,
    self: change.self ?? self,
  } satisfies OneBotSettings);
}

/** A user whom frameworks that speak OneBot reach. */
export interface OneBotUser extends OneBotSettings {
  readonly userId: number;
  readonly nickname: string;
}

const reached = ({ userId, nickname, oneBot, suspended }: UserRecord): readonly OneBotUser[] => {
  const settings = readOneBot(oneBot);
  return settings === null || suspended ? [] : [{ userId, nickname, ...settings }];
};

/** Lists the users whom frameworks reach, or only this one. */
export const createOneBots =
  (users: Pick<UserStore, "listOneBots">, findUser: (userId: number) => Promise<UserRecord | null>) =>
  async (userId?: number): Promise<readonly OneBotUser[]> => {
    if (userId === undefined) return (await users.listOneBots()).flatMap(reached);
    const user = await findUser(userId);
    return user === null ? [] : reached(user);
  };
