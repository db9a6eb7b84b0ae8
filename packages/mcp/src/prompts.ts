import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const user = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] });

/** Adds prompts for the usual tasks. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "catch_up",
    {
      title: "What have I missed?",
      description: "Summarizes the unread messages of a room, or of all rooms.",
      argsSchema: z.object({ room: z.string().max(128).optional().describe("The name of a room; all without one.") }),
    },
    ({ room }) =>
      user(
        `Summarize what I have missed ${room === undefined ? "in my rooms" : `in the room "${room}"`}. Use list_rooms to see how many messages are unread, and read_room to read them. Name who said what, and what waits for an answer from me. Do not write to anyone.`,
      ),
  );
  server.registerPrompt(
    "print",
    {
      title: "Print a note",
      description: "Writes a short note and prints it on a device.",
      argsSchema: z.object({
        about: z.string().max(1000).describe("What the note is about."),
        device: z.string().max(128).optional().describe("The name of a device; the one that is online without one."),
      }),
    },
    ({ about, device }) =>
      user(
        `Write a note for a narrow receipt printer about: ${about}\nPlain text, short lines. Then print it with send_to_device on ${device ?? "the device of mine that is online"}; list_devices names them.`,
      ),
  );
  server.registerPrompt(
    "find",
    {
      title: "Where was that?",
      description: "Searches all rooms for something that was said.",
      argsSchema: z.object({ what: z.string().max(1000).describe("What was said, as far as one remembers it.") }),
    },
    ({ what }) =>
      user(
        `Find where this was said in my rooms: ${what}\nUse search_rooms with several wordings, and quote the messages with their rooms and times.`,
      ),
  );
}
