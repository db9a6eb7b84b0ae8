import type { BotView } from "@telex/core";
import { type FormEntries, givenOf, type Read } from "../ui/actions/form.tsx";
import { protocolOptions } from "./one-bot.tsx";
import type { AdminTexts } from "./texts/type.ts";

export type SettingEntry = "name" | "network" | "official" | "connect" | "protocol" | "minInterval";

export type BotEntry = SettingEntry | "account" | "secret" | "noSecret";

const intervalInput = { inputmode: "numeric", pattern: "[0-9]{1,7}" } as const;

const secretInput = { autocomplete: "new-password", maxlength: 512 } as const;

/** The settings of an account that can be changed. */
export const settingEntries = ({ bots }: Pick<AdminTexts, "bots">): FormEntries<SettingEntry> => ({
  name: { label: bots.name, optional: true, input: { maxlength: 64 } },
  network: { label: bots.network, input: { maxlength: 128 } },
  official: { kind: "check", label: bots.official, hint: bots.officialHint },
  connect: { label: bots.connect, hint: bots.connectHint, optional: true, input: { inputmode: "url" } },
  protocol: {
    kind: "select",
    label: bots.protocol,
    options: [{ value: "", name: bots.protocolAny }, ...protocolOptions],
  },
  minInterval: { label: bots.interval, hint: bots.intervalHint, input: intervalInput },
});

export const addEntries = ({ bots }: AdminTexts): FormEntries<BotEntry> => ({
  account: { label: bots.account, hint: bots.accountHint, input: { maxlength: 128 } },
  ...settingEntries({ bots }),
  secret: { label: bots.secret, hint: bots.secretHint, optional: true, secret: true, input: secretInput },
  noSecret: { kind: "check", label: bots.noSecret, hint: bots.noSecretHint },
});

export const settingsOf = (read: Read<SettingEntry>) => ({
  network: read("network").trim(),
  official: read("official") !== "",
  minInterval: Number(read("minInterval")),
});

export const protocolOf = (read: Read<SettingEntry>): 11 | 12 | null =>
  read("protocol") === "" ? null : read("protocol") === "12" ? 12 : 11;

const secretOf = (read: Read<BotEntry>) => {
  if (read("noSecret") !== "") return { secret: null };
  return read("secret") === "" ? {} : { secret: read("secret") };
};

/** The account from the form. */
export function requestOf(read: Read<BotEntry>) {
  const protocol = protocolOf(read);
  const fields = { ...givenOf(read, ["name", "connect"]), ...(protocol !== null && { protocol }), ...secretOf(read) };
  return { account: read("account").trim(), ...settingsOf(read), ...fields };
}

export const initialOf = ({ name, network, official, connect, protocol, minInterval }: BotView) => ({
  name: name ?? "",
  network,
  official: official ? "on" : "",
  connect: connect ?? "",
  protocol: String(protocol ?? ""),
  minInterval: String(minInterval ?? 0),
});
