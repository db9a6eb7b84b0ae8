import type { OwnFileView } from "@telex/core";

/** The displayed name of a file. A file from before the server stored names shows the beginning of its ID. */
export function nameOf({ file_id, name, url }: Pick<OwnFileView, "file_id" | "name" | "url">): string {
  if (name !== "") return name;
  const end = /\.\w{1,8}$/.exec(url)?.[0] ?? "";
  return `${file_id.slice(0, 8)}${end}`;
}

/** A short label for a file without a preview: its extension or type. */
export function markOf({ name, mime }: Pick<OwnFileView, "name" | "mime">): string {
  const ending = /\.([A-Za-z0-9]{1,4})$/.exec(name)?.[1];
  return (ending ?? mime.split("/").at(-1) ?? "").slice(0, 4).toUpperCase();
}
