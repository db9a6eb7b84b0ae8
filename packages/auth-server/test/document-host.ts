import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { ClientDocumentOptions } from "../src/oauth/oauth-options.ts";
import { listen } from "./other-provider.ts";
import { start } from "./server.ts";

/** A response of the host instead of a document. */
export type Answer = (response: ServerResponse) => void;

/** Fields that differ from the default document, a complete document, or another response instead. */
export type Page = Readonly<Record<string, unknown>> | string | Answer;

const errorSchema = z.object({ error: z.string(), error_description: z.string() });

/** A host of documents of applications, at any path, until they are replaced. */
async function startHost() {
  const asked: string[] = [];
  const pages = new Map<string, Page>();
  const { url, become } = await listen((_request, response) => response.end());
  const documentAt = (id: string, more: Exclude<Page, string | Answer> = {}): Page => ({
    client_id: id,
    client_name: "Tea timer",
    redirect_uris: ["http://127.0.0.1/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
    ...more,
  });
  become((request, response) => {
    const id = `${url}${request.url ?? ""}`;
    asked.push(id);
    const page = pages.get(id) ?? documentAt(id);
    if (typeof page === "function") page(response);
    else response.end(typeof page === "string" ? page : JSON.stringify(page));
  });
  /** Publishes a document, and returns the id of its application. */
  const publish = (path: string, page: Page = {}): string => {
    const id = `${url}${path}`;
    pages.set(id, typeof page === "object" ? documentAt(id, page) : page);
    return id;
  };
  return { host: new URL(url).host, asked, publish };
}

/** A server that reads the documents of a host. */
export async function startWithDocuments(options: ClientDocumentOptions | false = {}, trustProxy = 0) {
  const documents = await startHost();
  const clientDocuments = options === false ? options : { allow: [documents.host], ...options };
  const scene = await start({ clientDocuments }, { trustProxy });
  /** The error with which an application is refused, or `invalid_grant` for one that is known. */
  const refusalOf = async (id: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const proof = { code: "x", redirect_uri: "http://127.0.0.1/cb", code_verifier: "v".repeat(43) };
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: id, ...proof });
    const response = await fetch(`${scene.url}/oauth2/token`, { method: "POST", body, headers });
    const { error, error_description: description } = errorSchema.parse(await response.json());
    return `${error}: ${description}`;
  };
  return { ...scene, documents, refusalOf };
}
