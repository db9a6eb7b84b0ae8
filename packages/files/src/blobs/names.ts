import { randomBytes } from "node:crypto";
import type { AttachmentRecord, FileRecord } from "../records.ts";

/** A new name for a blob: 128 random bits. */
export const generateBlobId = (): string => randomBytes(16).toString("hex");

/** The blob of a file's preview is next to the file's own. */
export const thumbnailBlobId = (blobId: string): string => `${blobId}.128`;

/** The blob that a preview belongs to, or the blob itself. */
export const originalBlobId = (blobId: string): string => blobId.replace(/\.128$/, "");

/** The name of the bytes of a file that was taken out of service. */
export const quarantineBlobId = (md5: string): string => `${md5}.quarantine`;

/** True for a blob that was taken out of service. */
export const isQuarantined = (blobId: string): boolean => blobId.endsWith(".quarantine");

/** The name of an image under `/download/` (interface 2.10). */
export const imageName = ({ md5, ext }: Pick<FileRecord, "md5" | "ext">): string => `${md5}.${ext}`;

/** The address of an image within an installation (interface 2.10). */
export const downloadPath = (file: Pick<FileRecord, "md5" | "ext">): string => `/download/${imageName(file)}`;

/** The address of a file of a message within an installation (interface 2.10). */
export const filePath = ({ relativePath, name }: Pick<AttachmentRecord, "relativePath" | "name">): string =>
  `/downloadFile/${Buffer.from(relativePath).toString("base64url")}/${placeOf(relativePath)}/${encodeURIComponent(safeName(name))}`;

const imagePattern = /^(128_)?([0-9a-f]{32})\.([a-z0-9]{1,8})$/;

/** Parses a name under `/download/`; null for a name that no image has. */
export function parseImageName(
  name: string,
): { readonly md5: string; readonly ext: string; readonly thumbnail: boolean } | null {
  const [, prefix, md5, ext] = imagePattern.exec(name) ?? [];
  return md5 === undefined || ext === undefined ? null : { md5, ext, thumbnail: prefix !== undefined };
}

// Control characters, separators of paths, characters that Windows forbids, and marks that change the direction of writing.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
const maxName = 120;

/** A name that any file system accepts and that hides nothing: never empty, never `.` or `..`, at most 120 characters. */
function safeName(name: string): string {
  const clean = [...name.toWellFormed().replace(unsafe, "_")]
    .slice(0, maxName)
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "");
  return clean === "" ? "file" : clean;
}

const longestEnding = 16;

/** The name of an upload as it is kept: without folders, as {@link safeName}. A long name keeps its ending. */
export function uploadName(name: string): string {
  const own = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const clean = safeName(own);
  const dot = own.lastIndexOf(".");
  const ending = dot < 0 || own.length - dot > longestEnding ? "" : safeName(`x${own.slice(dot)}`).slice(1);
  return clean.endsWith(ending) ? clean : [...clean].slice(0, maxName - ending.length).join("") + ending;
}

/** A new path for an attachment: 128 random bits, which cannot be guessed, then its name (interface 2.10). */
export const generateRelativePath = (name: string): string => `${randomBytes(16).toString("hex")}/${safeName(name)}`;

const extFolder = "ext/";

const sharedFolder = "shared/";
const sharedPattern = /^shared\/([0-9a-f]{32})\//;

/** The path of a link to a file: its secret, then the name of the file. */
export const sharedPath = (secret: string, name: string): string => `${sharedFolder}${secret}/${safeName(name)}`;

/** The secret in the path of a link; null for any other path. */
export const secretOf = (relativePath: string): string | null => sharedPattern.exec(relativePath)?.[1] ?? null;

/** The same for a file of an external network. */
export const generateExtPath = (name: string): string => extFolder + generateRelativePath(name);

/** The segment before a path in an address (interface 2.10): `ext` for a file of an external network. */
export const placeOf = (relativePath: string): "ext" | "local" =>
  relativePath.startsWith(extFolder) ? "ext" : "local";
