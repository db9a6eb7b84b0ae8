import type { PluginForm } from "@telex/http";
import type { AccessFormDeps } from "./access.ts";
import { consentForm } from "./consent.ts";
import { deviceForm } from "./device.ts";
import { enterForm } from "./enter.ts";
import { joinForm, registerForm, setupForm } from "./opening.ts";
import { providerForms } from "./providers.ts";
import { recoverForm } from "./recover.ts";
import { signInForm } from "./sign-in.ts";
import { signOutForm } from "./sign-out.ts";

/** The HTML forms for signing in and out: each works without a script. */
export const createForms = (deps: AccessFormDeps): readonly PluginForm[] => [
  ...[consentForm, deviceForm, signInForm, registerForm, joinForm, setupForm, recoverForm, enterForm, signOutForm].map(
    (make) => make(deps),
  ),
  ...providerForms(deps),
];
