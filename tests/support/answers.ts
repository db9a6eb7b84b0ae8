import { expect } from "vitest";
import { at, parse } from "./json.ts";
import { telex } from "./command.ts";

/** What a command that must work prints as JSON. */
export async function answer(args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await telex([...args, "--json"]);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

/** How a command that must not work says so. */
export async function refusal(args: readonly string[]): Promise<{ code: number | null; error: unknown; msg: unknown }> {
  const { code, stdout, stderr } = await telex([...args, "--json"]);
  expect(stdout).toBe("");
  const told = parse(stderr.trimEnd().split("\n").at(-1) ?? "");
  return { code, error: at(told, "error"), msg: at(told, "msg") };
}
