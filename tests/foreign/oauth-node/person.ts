/** The arguments of a program: the address of the server, the address of a person with a browser, and the registered applications. */
interface Told {
  readonly program: string;
  readonly site: string;
  readonly secret: string;
  readonly onDevice: string;
  readonly onServer: string;
}

const isTold = (value: unknown): value is Told => typeof value === "object" && value !== null && "program" in value;

export function readArguments() {
  const [issuer = "", person = "", json = "{}"] = process.argv.slice(2);
  const told: unknown = JSON.parse(json);
  if (!isTold(told)) throw new TypeError("The third argument must be the applications.");
  const ask = async (path: string, query: Readonly<Record<string, string>>): Promise<string> => {
    const response = await fetch(`${person}/${path}?${new URLSearchParams(query).toString()}`);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  return {
    issuer,
    told,
    /** Sends the person to an address, and returns the one to which the browser comes back. */
    walk: async (url: URL, deny = false) => new URL(await ask("walk", { url: url.href, ...(deny && { deny: "1" }) })),
    /** The person approves or denies a code. */
    answer: async (code: string, deny = false) => await ask("answer", { code, ...(deny && { deny: "1" }) }),
    /** The status of a call of Telex with a token. */
    call: async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${issuer}/external/api/v1/oauth2/userId`, { headers })).status;
    },
    /** The status of a call for a device with a token. */
    register: async (token: string, deviceId: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ deviceId, name: "Printer" }) };
      return (await fetch(`${issuer}/external/api/v1/teleprinter/register`, init)).status;
    },
  };
}

/** The OAuth error code with which a request fails. */
export const errorOf = async (request: Promise<unknown>): Promise<unknown> =>
  await request.then(
    () => "no error",
    (error: unknown) => (error instanceof Error && "error" in error ? error.error : String(error)),
  );
