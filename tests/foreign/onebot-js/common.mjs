// Shared by the programs of this folder: their arguments, their output, and what they send.

const [, , address = "", token = "", selfId = ""] = process.argv;

/** The address of Telex, the token, and the user's ID. */
export const given = { address, token, selfId };

/** Prints an observation as a line of JSON. */
export const tell = (kind, fields = {}) => console.log(JSON.stringify({ kind, ...fields }));

/** The smallest possible picture. */
export const picture = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de" +
    "0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082",
  "hex",
);

export const tea = Buffer.from("tea");

/** Runs the plug-in that a text names, such as `/echo hello`. */
export async function run(plugins, text, ...context) {
  const [, name = "", rest = ""] = /^\/(\w+) ?(.*)$/s.exec(text) ?? [];
  try {
    await plugins[name]?.(...context, rest);
  } catch (error) {
    tell("failed", { name, error: error instanceof Error ? error.stack : JSON.stringify(error) });
  }
}
