import type { UserView } from "@telex/core";

export interface UserProps {
  readonly user: UserView;
  readonly onUser: (user: UserView) => void;
}
