import { once } from "node:events";
import { createServer } from "node:http";
import { folder, serve, telex } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { freePort } from "test-support/port";
import { installThree, type ServerCount } from "./installation.ts";

const password = "a long password";
const api = "/external/api/v1";

/** The redirect addresses of the applications: a program on this machine, and one on a server. */
const redirects = { onDevice: "http://127.0.0.1/callback", onServer: "https://app.example/callback" } as const;

/** A browser without pages, in which a person is signed in. */
class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  async #send(url: string, init: RequestInit = {}, cookies = this.#cookies): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { origin: this.#url, cookie, "content-type": "application/json" };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async post(path: string, body: object): Promise<unknown> {
    const response = await this.#send(`${this.#url}${api}${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return parse(text);
  }

  /** Follows the request of an application, and answers its question. Returns the address to which the application sent the browser. */
  async walk(url: string, allow: boolean): Promise<string> {
    // Each cookie of the provider belongs to one request; several requests may be open.
    const cookies = new Map(this.#cookies);
    let next = url;
    for (let steps = 0; steps < 8; steps += 1) {
      const response = await this.#send(next, {}, cookies);
      const location = response.headers.get("location");
      if (location === null) throw new Error(`A page was shown (${response.status}): ${await response.text()}`);
      const target = new URL(location, this.#url);
      if (target.origin !== this.#url) return target.href;
      const uid = target.searchParams.get("uid");
      next =
        uid === null
          ? target.href
          : textAt(await this.post(`/account/interactions/${uid}`, { allow }), "data", "redirectTo");
    }
    throw new Error("The request was redirected too often.");
  }

  /** Approves or denies the code that a program shows. */
  async answer(code: string, allow: boolean): Promise<string> {
    await this.post("/account/device/lookup", { code });
    await this.post("/account/device/approve", { code, allow });
    return "";
  }
}

/** Answers the requests of programs that need a person, `/walk?url=` and `/answer?code=`; with `deny=1`, the person refuses. */
export async function servePerson(browser: Browser) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://person");
    const allow = !searchParams.has("deny");
    const done =
      pathname === "/walk"
        ? browser.walk(searchParams.get("url") ?? "", allow)
        : browser.answer(searchParams.get("code") ?? "", allow);
    done.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Further options of a server. */
interface ServeOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Servers, and the arguments with which the command works on their storage. */
async function startServers(count: ServerCount, { args = [], env = {} }: ServeOptions) {
  if (count === 3) {
    const { url, database } = await installThree();
    return { url, place: ["--storage", database], cwd: await folder() };
  }
  const [cwd, port] = [await folder(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  // All programs have one address here, so limits per address are meaningless.
  await serve(["--port", String(port), "--base-url", url, "--rate-limits", "off", ...args], { cwd, env });
  return { url, place: [], cwd };
}

/**
 * Servers with applications that their operator has registered, and people.
 * @param options only for one server
 */
export async function startPeople(count: ServerCount, options: ServeOptions = {}) {
  const { url, place, cwd } = await startServers(count, options);
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await telex([...args, ...place], { cwd });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const add = async (...args: readonly string[]): Promise<unknown> =>
    parse(await run("client", "add", ...args, "--scopes", "openid,profile,chat,device", "--json"));
  const program = await add("Program", "--redirect", redirects.onDevice, "--grants", "code,refresh,device");
  const site = await add("Site", "--redirect", redirects.onServer, "--secret");
  const link = await run("user", "invite", "--uses", "20", "--base-url", url, "--quiet");
  return {
    url,
    /** The settings that a program gets. */
    settings: {
      program: textAt(program, "id"),
      site: textAt(site, "id"),
      secret: textAt(site, "secret"),
      ...redirects,
    },
    member: async (username: string): Promise<Browser> => {
      const browser = new Browser(url);
      await browser.post("/account/join", { secret: link.split("#", 2)[1], username, password });
      return browser;
    },
  };
}
