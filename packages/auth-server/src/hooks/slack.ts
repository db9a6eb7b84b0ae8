import { fieldOf, linesOf, listOf, textOf } from "./read.ts";

/** Parts of a message that are read. */
const most = { attachments: 20, blocks: 50, fields: 25 };

/** Replaces Slack's form of links and of three characters. Mentions such as `<!channel>` and `<@U1>` stay as they are. */
const plainText = (text: string): string =>
  text
    .replaceAll(
      /<((?:https?:\/\/|mailto:)[^<>|\s]{1,2000})(?:\|([^<>]{0,2000}))?>/g,
      (_all, url: string, label?: string) => (label === undefined || label === url ? url : `${label} (${url})`),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const titled = (title: string, link: string): string => (title !== "" && link !== "" ? `${title} (${link})` : title);

function ofAttachment(attachment: unknown): string {
  const text = (name: string): string => textOf(fieldOf(attachment, name));
  const fields = listOf(fieldOf(attachment, "fields"), most.fields).map((field) => {
    const [title, value] = [textOf(fieldOf(field, "title")), textOf(fieldOf(field, "value"))];
    return title === "" ? value : `${title}: ${value}`;
  });
  const body = text("text") === "" ? text("fallback") : text("text");
  return linesOf(text("pretext"), titled(text("title"), text("title_link")), body, ...fields, text("footer"));
}

/** A text of a block: an object of Slack's, or the text itself. */
const textIn = (value: unknown): string => (typeof value === "string" ? value.trim() : textOf(fieldOf(value, "text")));

const ofBlock = (block: unknown): string =>
  linesOf(
    textIn(fieldOf(block, "text")),
    ...listOf(fieldOf(block, "fields"), most.fields).map(textIn),
    ...listOf(fieldOf(block, "elements"), most.fields).map(textIn),
  );

/** The text of a message for Slack; `""` for another body. */
export const slackText = (body: unknown): string =>
  plainText(
    linesOf(
      textOf(fieldOf(body, "text")),
      ...listOf(fieldOf(body, "blocks"), most.blocks).map(ofBlock),
      ...listOf(fieldOf(body, "attachments"), most.attachments).map(ofAttachment),
    ),
  );

function ofEmbed(embed: unknown): string {
  const text = (name: string): string => textOf(fieldOf(embed, name));
  const fields = listOf(fieldOf(embed, "fields"), most.fields).map((field) =>
    [textOf(fieldOf(field, "name")), textOf(fieldOf(field, "value"))].filter(Boolean).join(": "),
  );
  const footer = textOf(fieldOf(fieldOf(embed, "footer"), "text"));
  return linesOf(titled(text("title"), text("url")), text("description"), ...fields, footer);
}

/** The text of a message for Discord; `""` for another body. */
export const discordText = (body: unknown): string =>
  linesOf(textOf(fieldOf(body, "content")), ...listOf(fieldOf(body, "embeds"), most.attachments).map(ofEmbed));

/** The text of a body with a title and a message, such as Grafana's; `""` for another body. */
export const titledText = (body: unknown): string =>
  linesOf(textOf(fieldOf(body, "title")), textOf(fieldOf(body, "message")));
