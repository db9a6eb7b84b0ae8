import stringWidth from "fast-string-width";

/** Colours of a dark terminal, by the code that begins them. */
const colours: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#56d364",
  33: "#e3b341",
  36: "#56d4dd",
  90: "#8b949e",
};

interface Style {
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly underlined?: boolean;
  readonly colour?: string | undefined;
}

interface Run extends Style {
  readonly text: string;
}

/** The change of each code. Other codes are ignored. */
function change(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 4) return { ...style, underlined: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 24) return { ...style, underlined: false };
  if (code === 39) return { ...style, colour: undefined };
  return code in colours ? { ...style, colour: colours[code] } : style;
}

const escape = "\u001B[";

/** The words of a line, and the spaces between them, with what they look like. */
function runsOf(line: string): Run[] {
  const [plain = "", ...parts] = line.split(escape);
  let style: Style = {};
  const coloured = parts.map((part) => {
    const end = part.indexOf("m");
    style = part.slice(0, end).split(";").map(Number).reduce(change, style);
    return { ...style, text: part.slice(end + 1) };
  });
  return [{ text: plain }, ...coloured].flatMap((run) => run.text.split(/( +)/).map((text) => ({ ...run, text })));
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const [cell, height, size, edge] = [8, 19, 13.3, 16];

function attributesOf({ bold, dim, underlined, colour }: Style): string {
  return [
    colour === undefined ? "" : ` fill="${colour}"`,
    bold === true ? ' font-weight="bold"' : "",
    dim === true ? ' opacity="0.6"' : "",
    underlined === true ? ' text-decoration="underline"' : "",
  ].join("");
}

/** A line as text elements. Each word has the width of its cells, so that columns stay in line in every font. */
function lineOf(line: string, row: number): string {
  let column = 0;
  const y = edge + 24 + row * height;
  return runsOf(line)
    .map((run) => {
      const width = stringWidth(run.text);
      const x = edge + column * cell;
      column += width;
      if (run.text.trim() === "") return "";
      const length = `textLength="${width * cell}" lengthAdjust="spacingAndGlyphs"`;
      return `<text x="${x}" y="${y}" ${length}${attributesOf(run)}>${escaped(run.text)}</text>`;
    })
    .join("");
}

/**
 * A picture of a terminal, as SVG.
 * @param shown what commands printed, with the escape sequences of colours
 * @param label what the picture shows, for those who cannot see it
 */
export function terminalPicture(shown: string, label: string): string {
  const lines = shown.trimEnd().split("\n");
  const columns = Math.max(
    ...lines.map((line) =>
      stringWidth(
        runsOf(line)
          .map(({ text }) => text)
          .join(""),
      ),
    ),
  );
  const [width, tall] = [2 * edge + columns * cell, 2 * edge + 20 + lines.length * height];
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${edge + 4 + index * 18}" cy="16" r="5.5" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" role="img" aria-label="${escaped(label)}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>${dots.join("")}`,
    `<g fill="#e6edf3" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${size}">`,
    ...lines.map(lineOf).filter((line) => line !== ""),
    "</g></svg>\n",
  ].join("\n");
}
