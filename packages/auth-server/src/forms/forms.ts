import type { PluginForm } from "@telex/http";
import { enterForm } from "./enter.ts";
import { joinForm, registerForm, setupForm } from "./opening.ts";
import { recoverForm } from "./recover.ts";
import { signInForm } from "./sign-in.ts";
import { signOutForm } from "./sign-out.ts";
import type { FormDeps } from "./visit.ts";

/** The HTML forms by which people come in and go: each works without script. */
export const createForms = (deps: FormDeps): readonly PluginForm[] =>
  [signInForm, registerForm, joinForm, setupForm, recoverForm, enterForm, signOutForm].map((make) => make(deps));
