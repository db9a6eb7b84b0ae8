import { installNats } from "test-support/nats";

/** Installs the server of NATS, once, before the tests run. */
export const setup = (): Promise<void> => installNats();
