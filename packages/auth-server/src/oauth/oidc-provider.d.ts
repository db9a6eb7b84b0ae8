// The entry of oidc-provider writes a warning to stderr on releases of Node without a name. These files of it do not.
declare module "oidc-provider/lib/provider.js" {
  export { Provider } from "oidc-provider";
}
declare module "oidc-provider/lib/helpers/errors.js" {
  import type { errors } from "oidc-provider";

  export const AccessDenied: typeof errors.AccessDenied;
  export const ExpiredToken: typeof errors.ExpiredToken;
  export const InvalidClient: typeof errors.InvalidClient;
  export const InvalidGrant: typeof errors.InvalidGrant;
  export const InvalidRequest: typeof errors.InvalidRequest;
  export const InvalidTarget: typeof errors.InvalidTarget;
  export const TemporarilyUnavailable: typeof errors.TemporarilyUnavailable;
}
