/** The account that `telex bot add` adds. The server has a default for each undefined field. */
export interface BotAdd extends BotFields {
  readonly official: boolean;
  readonly protocol: 11 | 12 | undefined;
}

/** The changes of `telex bot set`. Undefined fields stay as they are. */
export interface BotSet extends BotFields {
  readonly official: boolean | undefined;
  readonly protocol: 11 | 12 | "auto" | undefined;
}

interface BotFields {
  readonly account: string;
  /** The name for people. */
  readonly name: string | undefined;
  /** `none` for no secret. */
  readonly secret: string | undefined;
  readonly network: string | undefined;
  readonly connect: string | undefined;
  /** Milliseconds. */
  readonly minInterval: number | undefined;
}

export const givenOf = ({ official, network, minInterval }: Pick<BotSet, "official" | "network" | "minInterval">) => ({
  ...(official !== undefined && { official }),
  ...(network !== undefined && { network }),
  ...(minInterval !== undefined && { minInterval }),
});

export const secretOf = (secret: string | undefined): { secret?: string | null } =>
  secret === undefined ? {} : { secret: secret === "none" ? null : secret };
