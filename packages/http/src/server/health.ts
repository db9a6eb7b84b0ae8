import { type Telex, TelexError } from "@telex/core";
import { envelope, envelopeHeaders, type Refuse, type HttpResponse } from "../response/http-response.ts";
import { statusOf } from "../status.ts";

const well: HttpResponse = { status: 200, headers: envelopeHeaders, body: envelope(null) };

/** The process answers. */
export const healthy = (): HttpResponse => well;

/**
 * The storage takes writes, there is room for them, and the instance is not stopping. The response also has the name of the server if it
 * has one: through a balancer, the caller learns which server responded.
 */
export async function ready(telex: Telex, refuse: Refuse): Promise<HttpResponse> {
  const headers: HttpResponse["headers"] = telex.serverName === null ? {} : { "telex-server": telex.serverName };
  try {
    await telex.ready();
    return { ...well, headers: { ...well.headers, ...headers } };
  } catch (cause) {
    const error = TelexError.from(cause);
    return refuse(statusOf[error.code] === 503 ? error : new TelexError("storage_unavailable"), { headers });
  }
}
