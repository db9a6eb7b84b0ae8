import { writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:https";
import { join } from "node:path";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { createClient } from "@telex/http/client";
import { createCertificate } from "test-support/certificate";
import { folder, serve } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { freePort } from "test-support/port";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveFixedTools } from "./support/fixed-tools.ts";
import { npmProgram } from "./support/npm.ts";
import { startPeople } from "./support/oauth.ts";
import { runToSuccess } from "./support/run.ts";
import { serveWithToken } from "./support/with-token.ts";

const program = (name: string): string => npmProgram("mcp-js", "node_modules", ".bin", name);

/** Scenarios that need only the protocol: they run against `telex serve`. */
const general = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
  "server-sse-polling",
  "server-sse-multiple-streams",
];

/** Scenarios that call tools with fixed names: they run against a server with these tools, on the same transport. */
const fixed = ["tools-call-simple-text", "tools-call-error"];

/** Scenarios that do not run, with the reason, as in `docs/guide/mcp.md`. */
const others = {
  "results of tools of Telex are texts": [
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "json-schema-2020-12",
  ],
  "no server keeps a session, so it sends no requests and no notices of its own": [
    "logging-set-level",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  "no argument is completed": ["completion-complete"],
  "they read resources and prompts with fixed names, which are rooms and devices here": [
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
};

/** @param baseUrl the address at which programs reach it; default: its own */
async function startDemo(baseUrl?: string): Promise<{ readonly url: string; readonly token: string }> {
  const [data, port] = [await folder(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const given = [
    "--demo",
    "--storage",
    "memory:",
    "--data",
    data,
    "--base-url",
    baseUrl ?? url,
    "--port",
    String(port),
  ];
  const { printed } = await serve(given);
  return { url, token: textAt(printed, "users", 0, "token") };
}

/** Runs scenarios one after the other. The program fails if a check does. */
async function runScenarios(url: string, scenarios: readonly string[]): Promise<string[]> {
  const faulty: string[] = [];
  for (const scenario of scenarios) {
    const said = await runToSuccess(program("conformance"), ["server", "--url", `${url}/mcp`, "--scenario", scenario]);
    if (!said.includes(", 0 failed")) faulty.push(`${scenario}: ${said}`);
  }
  return faulty;
}

describe("the conformance program", () => {
  it("has no other scenarios than those that run and those that are named with a reason", async () => {
    const listed = await runToSuccess(program("conformance"), ["list", "--server"]);
    const all = [...listed.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name);
    expect(new Set(all)).toEqual(new Set([...general, ...fixed, ...Object.values(others).flat()]));
  });

  it("finds no fault in the general scenarios", { timeout: 120_000 }, async () => {
    const proxy = await serveWithToken();
    const { url, token } = await startDemo(proxy.url);
    proxy.passTo(url, token);
    expect(await runScenarios(proxy.url, general)).toEqual([]);
  });

  it("finds no fault where it calls tools that it knows", { timeout: 60_000 }, async () => {
    const proxy = await serveWithToken();
    const { url, token } = await serveFixedTools(proxy.url);
    proxy.passTo(url, token);
    expect(await runScenarios(proxy.url, fixed)).toEqual([]);
  });
});

it("the inspector's command lists the tools and calls one", { timeout: 60_000 }, async () => {
  const { url, token } = await startDemo();
  const header = ["--header", `Authorization: Bearer ${token}`];
  const inspect = async (...args: readonly string[]) =>
    parse(
      await runToSuccess(program("mcp-inspector"), ["--cli", `${url}/mcp`, "--transport", "http", ...header, ...args]),
    );
  expect(JSON.stringify(await inspect("--method", "tools/list"))).toContain('"name":"send_to_room"');
  const sent = ["groupId=1", "groupType=1", "message=from the inspector"].flatMap((one) => ["--tool-arg", one]);
  await inspect("--method", "tools/call", "--tool-name", "send_to_room", ...sent);
  const read = ["groupId=1", "groupType=1"].flatMap((one) => ["--tool-arg", one]);
  const page = await inspect("--method", "tools/call", "--tool-name", "read_room", ...read);
  expect(textAt(page, "content", 0, "text")).toContain("from the inspector");
});

const callback = "http://127.0.0.1:4711/callback";

/** The document of an application, over HTTPS as the library demands, and the certificate that servers must trust. */
async function serveDocument() {
  const certificate = createCertificate();
  const place = join(await folder(), "document.pem");
  await writeFile(place, certificate.cert);
  const late = { document: "" };
  const server = createServer(certificate, (_req, res) => {
    res.writeHead(200, { "content-type": "application/json" }).end(late.document);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const host = `localhost:${typeof address === "object" && address !== null ? address.port : 0}`;
  const url = `https://${host}/client.json`;
  const metadata = {
    client_name: "Foreign assistant",
    redirect_uris: [callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  late.document = JSON.stringify({ client_id: url, ...metadata });
  return { url, host, metadata, place };
}

/** An application for the library: it stores the given values. */
function createApplication({ url, metadata }: Awaited<ReturnType<typeof serveDocument>>) {
  const kept = { information: undefined, tokens: undefined, verifier: "", asked: "" } as {
    information: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
    tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
    verifier: string;
    asked: string;
  };
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadataUrl: url,
    clientMetadata: metadata,
    clientInformation: () => kept.information,
    saveClientInformation: (information) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (asked) => void (kept.asked = asked.href),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  return { provider, kept };
}

it("the library signs a person in by itself, from the 401 to a tool", { timeout: 60_000 }, async () => {
  const document = await serveDocument();
  const env = { NODE_EXTRA_CA_CERTS: document.place };
  const { url, member } = await startPeople(1, { args: ["--client-documents-allow", document.host], env });
  const { provider, kept } = createApplication(document);
  const open = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const create = () => new Client({ name: "Foreign assistant", version: "1.0.0" });
  const first = open();
  await expect(create().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  const asked = new URL(kept.asked).searchParams;
  expect([asked.get("client_id"), asked.get("code_challenge_method"), asked.get("resource")]).toEqual([
    document.url,
    "S256",
    `${url}/mcp`,
  ]);
  const browser = await member("alice");
  await first.finishAuth(new URL(await browser.walk(kept.asked, true)).searchParams);
  // A client of 2025-11-25 does not send its name with a write: the server knows the application by its token.
  const client = new Client({ name: "Another", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(open());
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_rooms");
  const { teleprinter } = createClient({ url, token: kept.tokens?.access_token ?? "" });
  await teleprinter.register({ deviceId: "kitchen", name: "Kitchen" });
  await client.callTool({ name: "send_to_device", arguments: { deviceId: "kitchen", content: "Milk" } });
  const [text] = (await teleprinter.messages({ deviceId: "kitchen" })).messages;
  expect([text?.content, text?.via]).toEqual(["Milk", { kind: "mcp", name: document.host }]);
});

it("with clientDocuments off, an application that no one registered is not known", { timeout: 60_000 }, async () => {
  const document = await serveDocument();
  const env = { NODE_EXTRA_CA_CERTS: document.place };
  const args = ["--client-documents-allow", document.host, "--client-documents", "off"];
  const { url } = await startPeople(1, { args, env });
  const metadata: unknown = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).not.toMatchObject({ client_id_metadata_document_supported: true });
  const { provider, kept } = createApplication(document);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const connected = new Client({ name: "Foreign assistant", version: "1.0.0" }).connect(transport);
  await expect(connected).rejects.toThrow(/regist/i);
  expect(kept.asked).toBe("");
});
