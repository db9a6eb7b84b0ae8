import { codeOf, Failure } from "../errors/errors.ts";

/** An address to listen on, and the flags that name it. */
interface Address {
  readonly host: string;
  readonly port: number;
  readonly hostFlag: string;
  readonly portFlag: string;
}

const advices: Readonly<Record<string, (address: Address) => readonly [error: string, advice: string]>> = {
  EADDRINUSE: ({ portFlag }) => ["address_in_use", `is in use. Choose another ${portFlag}, or 0 for any that is free.`],
  EACCES: ({ portFlag }) => [
    "address_refused",
    `needs rights that this user does not have. Choose a ${portFlag} from 1024 on.`,
  ],
  EADDRNOTAVAIL: ({ hostFlag }) => [
    "address_unknown",
    `is not an address of this machine. Choose another ${hostFlag}.`,
  ],
  ENOTFOUND: ({ hostFlag }) => [
    "address_unknown",
    `cannot be listened on: this machine does not know the name. Choose another ${hostFlag}.`,
  ],
};

/** The error of an address that a server cannot listen on, with advice. */
export function listenError(cause: unknown, address: Address): Failure {
  const code = codeOf(cause) ?? "";
  const [slug, advice] = advices[code]?.(address) ?? ["listen_failed", `cannot be listened on (${code}).`];
  return new Failure(slug, `${address.host}:${address.port} ${advice}`, { cause });
}
