import { type Telex, TelexError } from "@telex/core";
import { envelope, envelopeHeaders, type Refuse, type Reply } from "../response/reply.ts";
import { statusOf } from "../status.ts";

const well: Reply = { status: 200, headers: envelopeHeaders, body: envelope(null) };

/** The process answers. */
export const healthy = (): Reply => well;

/** The storage takes writes, there is room for them, and the instance is not stopping. Tells nothing else. */
export async function ready(telex: Telex, refuse: Refuse): Promise<Reply> {
  try {
    await telex.ready();
    return well;
  } catch (cause) {
    const error = TelexError.from(cause);
    return refuse(statusOf[error.code] === 503 ? error : new TelexError("storage_unavailable"));
  }
}
