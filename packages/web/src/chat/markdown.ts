import DOMPurify, { type Config } from "dompurify";
import createParser, { type MarkdownIt } from "markdown-it";

const addresses = /^(?:https?|mailto):/i;

/** The heading levels of a reply, below the title of the conversation. */
const headings: Readonly<Record<string, string>> = { h1: "h3", h2: "h4" };

type Rules = MarkdownIt["renderer"]["rules"];
type State = Parameters<Parameters<MarkdownIt["core"]["ruler"]["push"]>[1]>[0];
type Token = State["tokens"][number];

/** Links open in a new tab, without a referrer. */
const openLink: Rules[string] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("rel", "noopener noreferrer nofollow");
  tokens[index]?.attrSet("target", "_blank");
  return self.renderToken(tokens, index, options);
};

/** A picture as its description and URL. */
function pictureAsText(picture: Token, { Token: Create }: State): Token[] {
  const words = Object.assign(new Create("text", "", 0), { content: `[${picture.content}] ` });
  const address = Object.assign(new Create("code_inline", "code", 0), { content: String(picture.attrGet("src")) });
  return [words, address];
}

const withoutPictures = (tokens: readonly Token[], state: State): Token[] =>
  tokens.flatMap((token) => (token.type === "image" ? pictureAsText(token, state) : [token]));

/** Shows pictures as text, because the model chooses the URL that the browser would fetch. */
function showPicturesAsText(markdown: MarkdownIt): void {
  markdown.core.ruler.push("pictures", (state) => {
    for (const token of state.tokens) token.children = withoutPictures(token.children ?? [], state);
  });
}

/** Makes wide content scrollable, also with a keyboard. */
function ruleWide(rules: Rules, escape: (text: string) => string): void {
  const code = (content: string): string => `<pre tabindex="0"><code>${escape(content)}</code></pre>\n`;
  rules.fence = (tokens, index) => code(tokens[index]?.content ?? "");
  rules.code_block = (tokens, index) => code(tokens[index]?.content ?? "");
  rules.table_open = () => '<div class="wide" tabindex="0"><table>';
  rules.table_close = () => "</table></div>\n";
}

/** Aligns a cell with a class, because the Content-Security-Policy forbids inline styles. */
const openCell =
  (cell: "th" | "td"): Rules[string] =>
  (tokens, index) => {
    const side = /right|center/.exec(String(tokens[index]?.attrGet("style")))?.[0];
    return side === undefined ? `<${cell}>` : `<${cell} class="${side}">`;
  };

function createMarkdown(): MarkdownIt {
  const markdown = createParser({ html: false, linkify: true, breaks: true });
  // Only links to web pages and mail addresses become links.
  markdown.validateLink = (address) => addresses.test(address);
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index) => `<${headings[tokens[index]?.tag ?? ""] ?? "h5"}>`;
  rules.heading_close = (tokens, index) => `</${headings[tokens[index]?.tag ?? ""] ?? "h5"}>\n`;
  rules.link_open = openLink;
  ruleWide(rules, markdown.utils.escapeHtml);
  rules.th_open = openCell("th");
  rules.td_open = openCell("td");
  showPicturesAsText(markdown);
  return markdown;
}

const allowed: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: "p br hr h3 h4 h5 em strong s a code pre blockquote ul ol li div table thead tbody tr th td".split(" "),
  ALLOWED_ATTR: ["href", "title", "rel", "target", "start", "class", "tabindex"],
  ALLOWED_URI_REGEXP: addresses,
  ADD_URI_SAFE_ATTR: ["rel", "target", "start", "tabindex"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Renders Markdown as nodes, without raw HTML or remote content. Links open in a new tab, without a referrer. */
export type Render = (text: string) => DocumentFragment;

/** Creates the shared renderer of a page. */
export function createRender(): Render {
  const markdown = createMarkdown();
  return (text) => DOMPurify.sanitize(markdown.render(text), allowed);
}
