import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

const issuer = "https://id.example";
const secret = "a-secret-of-a-client";

describe("the settings of a provider", () => {
  it("put its button on the pages, and no secret into what config shows or the log tells", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "secret"), `${secret}\n`);
    const env = {
      TELEX_PROVIDER_ISSUER: issuer,
      TELEX_PROVIDER_CLIENT_ID: "telex",
      TELEX_PROVIDER_CLIENT_SECRET_FILE: "secret",
      TELEX_PROVIDER_NAME: "Example ID",
    };
    const server = await serve([], { cwd, env });
    const page = await (await fetch(`${server.url}/user/sign-in?lang=en`)).text();
    expect(page).toContain("Continue with Example ID");
    await server.stop();
    expect(server.log()).not.toContain(secret);
    const given = { ...env, TELEX_PROVIDER_CLIENT_SECRET_FILE: "", TELEX_PROVIDER_CLIENT_SECRET: secret };
    const { stdout } = await telexHere(["config"], { cwd, env: given });
    expect(stdout).toMatch(/providerClientSecret +\*+ /);
    expect(stdout).not.toContain(secret);
  });

  it.each([
    [["--provider-issuer", issuer], "A provider needs providerIssuer and providerClientId."],
    [["--provider-client-id", "telex"], "A provider needs providerIssuer and providerClientId."],
    [
      ["--provider-issuer", "http://id.example", "--provider-client-id", "telex"],
      "providerIssuer must begin with https:, unless providerAllow names its host and port.",
    ],
    [
      ["--provider-client-secret", secret, "--provider-client-secret-file", "x"],
      "Give either providerClientSecret or providerClientSecretFile, not both.",
    ],
    [
      ["--provider-issuer", issuer, "--provider-client-id", "telex", "--provider-client-secret-file", "missing"],
      "providerClientSecretFile must be a file with the secret; missing cannot be read (ENOENT).",
    ],
  ])("that contradict each other are refused: %j", async (flags, said) => {
    const { code, stderr } = await telexHere(["serve", "--port", "0", ...flags], { cwd: await folder() });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) as unknown });
    expect(stderr).not.toContain(secret);
  });
});
