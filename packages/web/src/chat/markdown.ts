import DOMPurify, { type Config } from "dompurify";
import createParser, { type MarkdownIt } from "markdown-it";

const addresses = /^(?:https?|mailto):/i;

/** The level of a heading of a reply in the page: below the title of the conversation. */
const headings: Readonly<Record<string, string>> = { h1: "h3", h2: "h4" };

type Rules = MarkdownIt["renderer"]["rules"];
type State = Parameters<Parameters<MarkdownIt["core"]["ruler"]["push"]>[1]>[0];
type Token = State["tokens"][number];

/** Links open elsewhere and tell nothing. */
const openLink: Rules[string] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("rel", "noopener noreferrer nofollow");
  tokens[index]?.attrSet("target", "_blank");
  return self.renderToken(tokens, index, options);
};

/** A picture as what it is: words, and an address. */
function pictureAsText(picture: Token, { Token: Create }: State): Token[] {
  const words = Object.assign(new Create("text", "", 0), { content: `[${picture.content}] ` });
  const address = Object.assign(new Create("code_inline", "code", 0), { content: String(picture.attrGet("src")) });
  return [words, address];
}

const withoutPictures = (tokens: readonly Token[], state: State): Token[] =>
  tokens.flatMap((token) => (token.type === "image" ? pictureAsText(token, state) : [token]));

/** A picture would be fetched from where the model says: it is shown as text. */
function showPicturesAsText(markdown: MarkdownIt): void {
  markdown.core.ruler.push("pictures", (state) => {
    for (const token of state.tokens) token.children = withoutPictures(token.children ?? [], state);
  });
}

/** Lets wide content scroll within itself, also with a keyboard. */
function ruleWide(rules: Rules, escape: (text: string) => string): void {
  const code = (content: string): string => `<pre tabindex="0"><code>${escape(content)}</code></pre>\n`;
  rules.fence = (tokens, index) => code(tokens[index]?.content ?? "");
  rules.code_block = (tokens, index) => code(tokens[index]?.content ?? "");
  rules.table_open = () => '<div class="wide" tabindex="0"><table>';
  rules.table_close = () => "</table></div>\n";
}

/** A cell is aligned by a class: the policy of the page allows no style within. */
const openCell =
  (cell: "th" | "td"): Rules[string] =>
  (tokens, index) => {
    const side = /right|center/.exec(String(tokens[index]?.attrGet("style")))?.[0];
    return side === undefined ? `<${cell}>` : `<${cell} class="${side}">`;
  };

function createMarkdown(): MarkdownIt {
  const markdown = createParser({ html: false, linkify: true, breaks: true });
  // Links to anything but web pages and mail addresses stay text.
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

/** Makes nodes of Markdown: no raw HTML, nothing that is fetched, links that open elsewhere and tell nothing. */
export type Render = (text: string) => DocumentFragment;

/** The one renderer of a page. */
export function createRender(): Render {
  const markdown = createMarkdown();
  return (text) => DOMPurify.sanitize(markdown.render(text), allowed);
}
