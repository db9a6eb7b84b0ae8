import type { Admission } from "../admission/admission.ts";

/** The connections of a server by client identifier. Of two with the same login and identifier, only the newer one stays. */
export interface Clients {
  /**
   * Adds a connection, and ends an older one of the same client. The returned function removes it.
   * @param end closes the connection when a newer one is added
   */
  readonly enter: (admission: Admission, end: () => void) => () => void;
}

export function createClients(): Clients {
  const open = new Map<string, () => void>();
  return {
    enter({ login, connect: { clientId } }, end) {
      if (clientId === "") return () => {};
      const deviceId = login.as === "device" ? login.deviceId : "";
      const key = `${login.holder.userId} ${deviceId} ${clientId}`;
      open.get(key)?.();
      open.set(key, end);
      return () => {
        if (open.get(key) === end) open.delete(key);
      };
    },
  };
}
