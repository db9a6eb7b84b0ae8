import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { grayPng, smallPng } from "./pictures.ts";
import { folder, telex } from "test-support/command";
import { telexHere } from "./in-process.ts";

async function withPicture(): Promise<string> {
  const cwd = await folder();
  await writeFile(join(cwd, "small.png"), smallPng);
  return cwd;
}

describe("telex image", () => {
  it("prints 69 columns with LF, the same characters as the service", async () => {
    const cwd = await withPicture();
    const { code, stdout, stderr } = await telexHere(["image", "small.png"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines.pop()).toBe("");
    // A character is twice as tall as wide: 69 * 4 / 4 / 2, rounded up.
    expect(lines).toHaveLength(35);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([69]));
    expect(stdout).not.toContain("\r");
    expect(lines[0]).toMatch(/^ {34}.\?{34}$/);
  });

  it("reads stdin for -", async () => {
    const { code, stdout } = await telex(["image", "-", "--col", "4"], { input: smallPng });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "  ??\n  ??\n" });
  });

  it("ends lines with CRLF with --crlf, and in the file of --out", async () => {
    const cwd = await withPicture();
    const piped = await telexHere(["image", "small.png", "--col", "4", "--crlf"], { cwd });
    expect(piped.stdout).toBe("  ??\r\n  ??\r\n");
    const written = await telexHere(["image", "small.png", "--col", "4", "--out", "text.txt"], { cwd });
    expect({ code: written.code, stdout: written.stdout }).toEqual({ code: 0, stdout: "" });
    expect(await readFile(join(cwd, "text.txt"), "utf8")).toBe("  ??\r\n  ??\r\n");
  });

  it("draws edges with --algo border", async () => {
    const cwd = await withPicture();
    const { stdout } = await telexHere(["image", "small.png", "--col", "4", "--algo", "border"], { cwd });
    expect(stdout).toBe(" ?? \n ?? \n");
  });

  it("answers with one JSON object with --json", async () => {
    const cwd = await withPicture();
    const { stdout } = await telexHere(["image", "small.png", "--col", "4", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      file: "small.png",
      col: 4,
      lines: 2,
      algo: "gray",
      style: "telex",
      text: "  ??\n  ??\n",
    });
  });

  it("draws for terminals: blocks, braille, colours, other characters", async () => {
    const cwd = await withPicture();
    const draw = async (...args: string[]) =>
      (await telexHere(["image", "small.png", "--col", "4", ...args], { cwd })).stdout;
    expect(await draw("--style", "blocks")).toMatch(/^ {2}██$/m);
    expect(await draw("--style", "braille")).toMatch(/[\u2800-\u28FF]/);
    expect(await draw("--color")).toContain("\u001B[38;2;");
    expect(await draw("--ramp", " x")).toMatch(/^ {2}xx$/m);
    expect(await draw("--ramp", " x", "--invert")).toMatch(/^xx *$/m);
  });

  it.each(["0", "201", "1.5", "-1", "x", ""])("refuses the width %j as wrong usage", async (col) => {
    const { code, stdout, stderr } = await telexHere(["image", "small.png", `--col=${col}`]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("1 to 200");
  });

  it("refuses what does not go together, and an unknown algorithm", async () => {
    const cwd = await withPicture();
    for (const mixture of [["--algo", "border", "--color"], ["--style", "telex", "--invert"], ["--play"]]) {
      expect((await telexHere(["image", "small.png", ...mixture], { cwd })).code).toBe(2);
    }
    expect((await telexHere(["image", "small.png", "small.png", "--out", "x"], { cwd })).code).toBe(2);
    expect((await telexHere(["image", "small.png", "--algo", "cubist"], { cwd })).code).toBe(2);
    expect((await telexHere(["image"], { cwd })).code).toBe(2);
  });

  it("fails with a sentence for a file that is missing or no picture", async () => {
    const cwd = await withPicture();
    const missing = await telexHere(["image", "nowhere.png", "--json"], { cwd });
    expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: "unreadable_file" });
    await writeFile(join(cwd, "text.png"), "no picture");
    const text = await telexHere(["image", "text.png", "--json"], { cwd });
    expect(text.code).toBe(1);
    expect(JSON.parse(text.stderr)).toMatchObject({ error: "unreadable_image" });
    const cut = await telexHere(["image", "-", "--json"], { input: smallPng.subarray(0, 50) });
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.stderr)).toMatchObject({ error: "unreadable_image" });
  });

  it("says how many lines a text may have when it has more", async () => {
    const cwd = await folder();
    await writeFile(
      join(cwd, "tall.png"),
      grayPng(
        1,
        Array.from({ length: 100 }, () => [0]),
      ),
    );
    const { code, stderr } = await telexHere(["image", "tall.png", "--col", "200"], { cwd });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "✖ The text would have more than 2000 lines. Use a smaller col.\n",
    });
  });

  it("fails with a sentence when the file of --out cannot be written", async () => {
    const cwd = await withPicture();
    const { code, stderr } = await telexHere(["image", "small.png", "--out", "/nowhere/text.txt"], { cwd });
    expect({ code, named: stderr.includes("/nowhere/text.txt cannot be written") }).toEqual({ code: 1, named: true });
  });

  it("prints several pictures, and reports those that it cannot read", async () => {
    const cwd = await withPicture();
    const { code, stdout, stderr } = await telexHere(["image", "small.png", "none.png", "small.png", "--col", "4"], {
      cwd,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "  ??\n  ??\n  ??\n  ??\n" });
    expect(stderr).toBe("✖ none.png cannot be read: there is no such file.\n");
  });

  it("keeps to the height of --height, in the characters of the service", async () => {
    const cwd = await withPicture();
    const { stdout } = await telexHere(["image", "small.png", "--height", "2"], { cwd });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(stdout).toBe((await telexHere(["image", "small.png", "--col", String(lines[0]?.length)], { cwd })).stdout);
  });

  it("names the formats that are read, and BMP as one that is not", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "a.bmp"), Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)]));
    await writeFile(join(cwd, "b.png"), "no picture");
    const bmp = await telexHere(["image", "a.bmp"], { cwd });
    expect(bmp).toMatchObject({ code: 1, stdout: "" });
    expect(bmp.stderr).toContain("a.bmp is a BMP, which cannot be read.");
    const text = await telexHere(["image", "b.png"], { cwd });
    for (const { stderr } of [bmp, text])
      expect(stderr).toContain("JPEG, PNG, GIF, WebP, AVIF and TIFF, and SVG from a file");
  });

  it("reads an SVG from a file, on white, and not from stdin", async () => {
    const cwd = await folder();
    const svg = `<?xml version="1.0"?>\n<!-- a square --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">
      <rect width="2" height="4"/></svg>`;
    await writeFile(join(cwd, "square.svg"), svg);
    const drawn = await telexHere(["image", "square.svg", "--col", "4"], { cwd });
    expect(drawn).toEqual({ code: 0, stdout: "  ??\n  ??\n", stderr: "" });
    const piped = await telexHere(["image", "-"], { input: svg });
    expect(piped).toMatchObject({ code: 1, stdout: "" });
    expect(piped.stderr).toContain("An SVG is read from a file only");
  });

  it("prints the first frame of an animation, and says so", async () => {
    const golden = new URL("../../image-text/test/golden/", import.meta.url);
    const animated = fileURLToPath(new URL("animated.gif", golden));
    const { code, stdout, stderr } = await telexHere(["image", animated, "--col", "69"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: (await readFile(new URL("animated.gif.69.gray.txt", golden), "utf8")).replaceAll("\r\n", "\n"),
    });
    expect(stderr).toMatch(/has \d+ frames; this is the first one/);
  });
});
