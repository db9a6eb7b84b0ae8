import { join } from "node:path";
import { folder, forAllTests, serve } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { describe, expect, it } from "vitest";
import { foreign } from "./support/cache.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";

describe("a model's client in Python", () => {
  const prepare = forAllTests(async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
    return { url: server.url, token: textAt(server.printed, "users", 0, "token") };
  });

  it.each(["mcp", "fastmcp"])("%s finds the tools, prints, lists rooms and is refused", async (library) => {
    const { url, token } = prepare();
    const program = join(foreign, "mcp-python", "main.py");
    const seen = parse(await runToSuccess(pythonProgram("python"), [program, library, `${url}/mcp`, token]));
    expect(seen).toEqual({
      tools: [
        "list_devices",
        "list_files",
        "list_rooms",
        "picture_as_text",
        "react_in_room",
        "read_device",
        "read_room",
        "search_rooms",
        "send_to_device",
        "send_to_room",
        "show_quota",
      ],
      printed: `from ${library}`,
      rooms: ["alice & bob", "茶馆 Teahouse"],
      resources: ["telex://devices/demo-printer", "telex://rooms/1", "telex://rooms/2"],
      refused: "group_not_found",
    });
  });
});
