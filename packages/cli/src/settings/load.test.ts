import { describe, expect, it } from "vitest";
import { loadConfig } from "./load.ts";
import { variableOf } from "./setting.ts";
import { allSettings } from "./table.ts";

/** Settings that accept a comma: names of files and folders, and secrets. The second table covers them. */
const anyText = [
  "data",
  "blobs",
  "blobsAccessKey",
  "blobsSecretKey",
  "backupAccessKey",
  "backupSecretKey",
  "aiKey",
  "aiKeyFile",
  "providerName",
  "providerClientId",
  "providerClientSecret",
  "providerClientSecretFile",
  "providerUsernameClaim",
  "providerNicknameClaim",
  "providerGroupsClaim",
  "providerAdminGroup",
  "token",
  "tokenFile",
  "profile",
  "secretKey",
  "mqttCert",
  "mqttKey",
];

const load = (env: Readonly<Record<string, string>>) => loadConfig({ cwd: import.meta.dirname, env, flags: {} });

describe("a wrong value of a setting", () => {
  it.each(allSettings.filter(({ name }) => !anyText.includes(name)))(
    "is refused by its name, with what would be right: $name",
    async ({ name, kind }) => {
      const variable = variableOf(name);
      await expect(load({ [variable]: "," })).rejects.toThrow(`${variable} must be ${kind.expected};`);
    },
  );

  it.each([
    ["TELEX_HOST", "localhost:7700"],
    ["TELEX_HOST", "http://localhost"],
    ["TELEX_HOST", "1.2.3.4/8"],
    ["TELEX_BASE_URL", "https://telex.example.org/?a=b"],
    ["TELEX_BASE_URL", "https://telex.example.org/#here"],
    ["TELEX_BASE_URL", "telex.example.org"],
    ["TELEX_DATA", "sqlite:telex.db"],
    ["TELEX_STORAGE", "/var/lib/telex.db"],
    ["TELEX_STORAGE", "postgres://db.example/telex"],
    ["TELEX_BLOBS", "https://s3.example.org/bucket"],
    ["TELEX_BLOBS", "s3:s3.example.org/bucket"],
    ["TELEX_BLOBS_ACCESS_KEY", "a b"],
    ["TELEX_BLOBS_SECRET_KEY", "a\nb"],
    ["TELEX_BACKUP_ACCESS_KEY", " a"],
    ["TELEX_BACKUP_SECRET_KEY", "a b"],
    ["TELEX_AI_KEY", "schlüssel"],
    ["TELEX_SECRET_KEY", "a b"],
    ["TELEX_TOKEN", "Bearer tlxp_x"],
  ])("is refused: %s=%s", async (variable, value) => {
    await expect(load({ [variable]: value })).rejects.toThrow(`${variable} must be `);
  });

  it.each(["127.0.0.1", "::", "::1", "0.0.0.0", "localhost", "my-host.example.org"])(
    "is not seen where there is none: %s",
    async (value) => {
      const [host] = allSettings;
      expect((await load({ TELEX_HOST: value })).entries().find(({ name }) => name === host?.name)?.value).toBe(value);
    },
  );
});
