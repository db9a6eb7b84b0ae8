/** Code points of a file name that are kept. */
const nameLength = 150;

const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu;

/** A client's file name without characters that could mislead or escape: controls, separators, marks that change the direction. */
function cleanName(name: string): string {
  const clean = Array.from(name.toWellFormed().replace(unwanted, "")).slice(0, nameLength).join("").trim();
  return /^\.*$/.test(clean) ? "file" : clean;
}

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** A `Content-Disposition` value (RFC 6266): the name in ASCII for old clients, and in UTF-8 if that differs. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const clean = cleanName(name);
  const ascii = clean.replace(/[^\x20-\x7e]|["%\\]/gu, "_");
  const extended = ascii === clean ? "" : `; filename*=UTF-8''${percentEncode(clean)}`;
  return `${kind}; filename="${ascii}"${extended}`;
}
