export { createIntrospectionVerifier } from "./introspection.ts";
export type { IntrospectionOptions } from "./introspection.ts";
export { createJwtVerifier } from "./jwt.ts";
export type { JwtOptions } from "./jwt.ts";
export { firstOf } from "./first-of.ts";
export { userBySubject } from "./subjects.ts";
export type { SubjectOptions } from "./subjects.ts";
export type { Claims, VerifierOptions } from "./options.ts";
