import type { z } from "zod";
import type { Caller, CallContext, Contract, Implementation, Operation, Service } from "@telex/ground/contract";
import { type AiContract, aiContract } from "../ai/contract.ts";
import { type QuotaContract, quotaContract } from "../ai/quota/contract.ts";
import {
  type AvatarsContract,
  avatarsContract,
  type BucketContract,
  bucketContract,
  type FilesContract,
  filesContract,
  type ImagesContract,
  imagesContract,
} from "@telex/files/contract";
import { type BotsContract, botsContract } from "../gateways/contract.ts";
import { type GroupsContract, groupsContract } from "../groups/contract.ts";
import { type MessagesContract, messagesContract } from "../messages/contract.ts";
import { type ServerContract, serverContract } from "../server/contract.ts";
import { type RoomsContract, roomsContract } from "../rooms/contract.ts";
import { type DeviceAdminContract, deviceAdminContract } from "../devices/contract.ts";
import { type TeleprinterContract, teleprinterContract } from "../teleprinter/contract.ts";
import { type PairingContract, pairingContract } from "../pairing/contract.ts";
import {
  type TokensContract,
  tokensContract,
  type UserAdminContract,
  userAdminContract,
  type UsersContract,
  usersContract,
} from "../users/contract.ts";

/** The contracts of operations for users, devices and strangers, by capability. */
export interface Contracts {
  readonly teleprinter: TeleprinterContract;
  readonly pairing: PairingContract;
  readonly ai: AiContract;
  readonly images: ImagesContract;
  readonly avatars: AvatarsContract;
  readonly bucket: BucketContract;
  readonly users: UsersContract;
  readonly messages: MessagesContract;
  readonly rooms: RoomsContract;
}

/** The contracts of operations for the operator only, by capability. */
export interface OperatorContracts {
  readonly users: UserAdminContract;
  readonly tokens: TokensContract;
  readonly groups: GroupsContract;
  readonly devices: DeviceAdminContract;
  readonly quota: QuotaContract;
  readonly files: FilesContract;
  readonly bots: BotsContract;
  readonly server: ServerContract;
}

/** The name of a capability of {@link Contracts}. */
export type CapabilityName = keyof Contracts;

/**
 * Every capability, once. The services of an instance, the HTTP routes, the typed client, OpenAPI, the reference and the tests
 * of hostile input derive from this table; a capability that one of them lacks does not compile.
 */
export const contracts: Contracts = {
  teleprinter: teleprinterContract,
  pairing: pairingContract,
  ai: aiContract,
  images: imagesContract,
  avatars: avatarsContract,
  bucket: bucketContract,
  users: usersContract,
  messages: messagesContract,
  rooms: roomsContract,
};

/** Every {@link CapabilityName}. */
export const capabilityNames = Object.keys(contracts).filter((name): name is CapabilityName =>
  Object.hasOwn(contracts, name),
);

/** Every capability of the operator, once. */
export const operatorContracts: OperatorContracts = {
  users: userAdminContract,
  tokens: tokensContract,
  groups: groupsContract,
  devices: deviceAdminContract,
  quota: quotaContract,
  files: filesContract,
  bots: botsContract,
  server: serverContract,
};

export type Services<T> = { readonly [N in keyof T]: T[N] extends Contract ? Service<T[N]> : never };

export type Implementations<T> = { readonly [N in keyof T]: T[N] extends Contract ? Implementation<T[N]> : never };

type OperationsOf<T, Prefix extends string> = {
  [C in keyof T & string]: { [O in keyof T[C] & string as `${Prefix}${C}.${O}`]: T[C][O] };
}[keyof T & string];

type Merge<U> = (U extends unknown ? (operations: U) => void : never) extends (operations: infer All) => void
  ? All
  : never;

/** Every operation of an instance by its name: `messages.send`, or `operator.users.add`. */
type Operations = Merge<OperationsOf<Contracts, ""> | OperationsOf<OperatorContracts, "operator.">>;

/** The name of an operation: `<capability>.<operation>`, with `operator.` before it for one that only the operator can call. */
export type OperationName = keyof Operations;

/** The output of the operation with this name. */
export type OperationOutput<N extends OperationName> = Operations[N] extends {
  readonly output: infer O extends z.ZodType;
}
  ? z.output<O>
  : never;

/**
 * Calls an operation with input that was not parsed, such as the fields of a frame.
 * @param name the operation, such as `messages.send`
 * @param input checked by the operation's own schema
 * @throws TelexError `invalid_request`, `invalid_token`, `insufficient_scope`, and the errors that the operation declares
 */
export type CallOperation = <N extends OperationName>(
  name: N,
  caller: Caller,
  input: unknown,
  context?: CallContext,
) => Promise<OperationOutput<N>>;

/** One operation of an instance. */
export interface NamedOperation {
  readonly name: OperationName;
  /** The name of its capability, without the `operator.` of the operator's. */
  readonly capability: string;
  /** Its name within its capability. */
  readonly method: string;
  readonly operation: Operation;
}

const entriesOf = (table: object, prefix: string) =>
  Object.entries(table).flatMap(([capability, contract]: [string, Contract]) =>
    Object.entries(contract).map(([method, operation]) => {
      const name = `${prefix}${capability}.${method}`;
      return [name, { capability, method, operation }] as const;
    }),
  );

const operations: ReadonlyMap<string, Omit<NamedOperation, "name">> = new Map([
  ...entriesOf(contracts, ""),
  ...entriesOf(operatorContracts, "operator."),
]);

/** True for the name of an operation. */
export const isOperationName = (name: string): name is OperationName => operations.has(name);

/** Every operation of an instance, the operator's last. */
export const listOperations = (): readonly NamedOperation[] =>
  [...operations].flatMap(([name, operation]) => (isOperationName(name) ? [{ name, ...operation }] : []));
