import type { Admission } from "../admission/admission.ts";

/** The connections of a server by client identifier: of two with the same login and identifier, the newer one stays. */
export interface Clients {
  /**
   * Takes a connection in, and ends an older one of the same client. The returned function lets it go.
   * @param end closes the connection, because a newer one has come
   */
  readonly enter: (admission: Admission, end: () => void) => () => void;
}

export function createClients(): Clients {
  const open = new Map<string, () => void>();
  return {
    enter({ login, connect: { clientId } }, end) {
      if (clientId === "") return () => {};
      const place = login.as === "device" ? login.deviceId : "";
      const key = `${login.holder.userId} ${place} ${clientId}`;
      open.get(key)?.();
      open.set(key, end);
      return () => {
        if (open.get(key) === end) open.delete(key);
      };
    },
  };
}
