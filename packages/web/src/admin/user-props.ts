import type { UserView } from "@telex/core";

/** A user, and what is done with what the server says of them. */
export interface UserProps {
  readonly user: UserView;
  readonly onUser: (user: UserView) => void;
}
