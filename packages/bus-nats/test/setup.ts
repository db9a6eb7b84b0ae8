import { installNats } from "test-support/nats";

/** Installs the NATS server once, before the tests run. */
export const setup = (): Promise<void> => installNats();
