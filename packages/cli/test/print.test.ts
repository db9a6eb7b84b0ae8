import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { at, listAt, textAt } from "test-support/json";
import { folder, lastJson, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

describe("telex image --to-device", () => {
  it("sends a picture in messages that put together are the picture", async () => {
    const directory = await folder();
    const picture = join(directory, "gradient.png");
    const pixels = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * 7) % 256));
    await writeFile(
      picture,
      await sharp(pixels, { raw: { width: 300, height: 300, channels: 1 } })
        .png()
        .toBuffer(),
    );
    const { url, printed } = await serve(["--demo", "--storage", "memory:", "--data", directory]);
    const server = ["--url", url, "--token", textAt(printed, "users", 0, "token")];

    const sent = await telexHere(["image", picture, "--to-device", "demo-printer", "--json", ...server]);
    expect(sent).toMatchObject({ code: 0, stderr: "" });
    const messages = listAt(lastJson(sent.stdout), "messages");
    expect(messages.length).toBeGreaterThan(1);

    const headers = { authorization: `Bearer ${textAt(printed, "users", 0, "token")}` };
    const polled = await fetch(`${url}/external/api/v1/teleprinter/poll?deviceId=demo-printer&limit=100`, { headers });
    const ids = new Set(messages.map((message) => at(message, "id")));
    const parts = listAt(await polled.json(), "data").filter((message) => ids.has(at(message, "id")));
    const shown = await telexHere(["image", picture]);
    expect(parts.map((message) => textAt(message, "content")).join("\n")).toBe(shown.stdout.replace(/\n$/, ""));
  });

  it("needs a token, and a device of its own", async () => {
    const directory = await folder();
    const picture = join(directory, "dot.png");
    await writeFile(
      picture,
      await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
    );
    expect(await telexHere(["image", picture, "--to-device", "x"])).toMatchObject({ code: 2 });
    const { url, printed } = await serve(["--demo", "--storage", "memory:", "--data", directory]);
    const server = ["--url", url, "--token", textAt(printed, "users", 0, "token")];
    const refused = await telexHere(["image", picture, "--to-device", "nobodys", "--json", ...server]);
    expect(refused.code).toBe(1);
    expect(lastJson(refused.stderr)).toMatchObject({ error: "device_not_found" });
  });
});
