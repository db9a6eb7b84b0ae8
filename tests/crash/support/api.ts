/** The outcome of a call: an answer of either kind, or no answer, which leaves the outcome unknown. */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly status: number; readonly error: string }
  | { readonly kind: "unknown" };

/** Parses a value of an answer, like the schemas of contracts. */
export interface Schema<T> {
  parse(value: unknown): T;
}

/** Fields of a query or of a JSON body. */
export type Fields = Readonly<Record<string, string | number>>;

/** The REST calls of one user to one server. */
export interface Api {
  get<T>(path: string, fields: Fields, schema: Schema<T>): Promise<Outcome<T>>;
  post<T>(path: string, fields: Fields, schema: Schema<T>): Promise<Outcome<T>>;
  /** Uploads bytes as the field `file` of a form. */
  upload<T>(path: string, bytes: Uint8Array<ArrayBuffer>, schema: Schema<T>): Promise<Outcome<T>>;
  /** The bytes of a file, null where there is none. */
  download(path: string): Promise<Outcome<Uint8Array | null>>;
}

/** Accepts any answer. */
export const anything: Schema<unknown> = { parse: (value) => value };

/** Parses an envelope: `data` of a success, the slug of a failure. */
function readEnvelope<T>(status: number, envelope: unknown, schema: Schema<T>): Outcome<T> {
  const data: unknown =
    typeof envelope === "object" && envelope !== null && "data" in envelope ? envelope.data : undefined;
  if (status === 200) return { kind: "done", value: schema.parse(data) };
  const error = typeof data === "object" && data !== null && "error" in data ? String(data.error) : "none";
  return { kind: "refused", status, error };
}

async function call<T>(url: string, init: RequestInit, schema: Schema<T>): Promise<Outcome<T>> {
  let answer: { readonly status: number; readonly body: unknown };
  try {
    const response = await fetch(url, init);
    answer = { status: response.status, body: await response.json() };
  } catch {
    return { kind: "unknown" };
  }
  return readEnvelope(answer.status, answer.body, schema);
}

async function fetchBytes(url: string, headers: Record<string, string>): Promise<Outcome<Uint8Array | null>> {
  try {
    const response = await fetch(url, { headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status === 404) return { kind: "done", value: null };
    if (response.status !== 200) return { kind: "refused", status: response.status, error: "download" };
    return { kind: "done", value: bytes };
  } catch {
    return { kind: "unknown" };
  }
}

/** Calls the server at `url` with this token, or without one if it is null. */
export function createApi(url: string, token: string | null): Api {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    async get(path, fields, schema) {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      return await call(`${url}${path}?${query.toString()}`, { headers: authorization }, schema);
    },
    async post(path, fields, schema) {
      const headers = { ...authorization, "content-type": "application/json" };
      return await call(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(fields) }, schema);
    },
    async upload(path, bytes, schema) {
      const body = new FormData();
      body.set("file", new Blob([bytes]), "file.bin");
      return await call(`${url}${path}`, { method: "POST", headers: authorization, body }, schema);
    },
    download: async (path) => await fetchBytes(`${url}${path}`, authorization),
  };
}

/** The value of a call that must have been answered. */
export function valueOf<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.kind === "done") return outcome.value;
  throw new Error(`${what}: ${JSON.stringify(outcome)}`);
}
