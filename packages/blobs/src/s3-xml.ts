import { elementOf, type S3Client } from "./s3-client.ts";

/** An object of a bucket. */
export interface S3Object {
  /** The name without the prefix. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

export const unescapeXml = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&(?:apos|#39|#x27);/g, "'")
    .replaceAll("&amp;", "&");

/** The name of an object without the prefix. Both may contain characters that XML escapes. */
export const nameOf = ({ prefix }: S3Client, xml: string): string =>
  unescapeXml(elementOf(xml, "Key") ?? "").slice(prefix.length);

/** The inner XML of each element with this name. */
export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].flatMap(([, inner]) => inner ?? []);

export const objectOf = (client: S3Client, xml: string): S3Object => ({
  key: nameOf(client, xml),
  size: Number(elementOf(xml, "Size")),
  modifiedAt: Date.parse(elementOf(xml, "LastModified") ?? ""),
});
