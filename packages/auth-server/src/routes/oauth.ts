import { text } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import type { RouteParts } from "./parts.ts";

const base = "/external/api/v1";
const own = { access: "token" } as const;

const application = z.object({ id: z.string(), name: z.string() });
const scopes = z.array(z.string());
const decision = z.boolean().meta({ description: "False refuses." });
const uid = text(1, 64);
const code = text(1, 32).meta({ description: "The code that the program shows. Case and separators do not matter." });

const interactionRoutes = ({ services: { sessions }, oauth: { interactions } }: RouteParts): PluginRoute[] => [
  defineRoute({
    ...own,
    method: "GET",
    name: "account.interaction",
    path: `${base}/account/interactions/:uid`,
    summary: "What an application asks for. The page /user/consent shows it.",
    input: z.object({ uid }),
    output: z.object({
      client: application,
      scopes,
      consent: z.boolean().meta({ description: "False if the application only wants the person to sign in." }),
      confirm: z.boolean().meta({ description: "True: POST account/confirm is needed first." }),
    }),
    errors: ["not_allowed", "not_found"],
    run: async ({ caller, input }) => {
      const { target: _target, ...question } = await interactions.look(input.uid, sessions.of(caller));
      return { ...question, scopes: [...question.scopes] };
    },
  }),
  defineRoute({
    ...own,
    method: "POST",
    name: "account.answerInteraction",
    path: `${base}/account/interactions/:uid`,
    summary: "Gives an application what it asks for, or refuses. The browser goes to redirectTo.",
    input: z.object({ uid, allow: decision }),
    output: z.object({ redirectTo: z.string() }),
    errors: ["not_allowed", "not_confirmed", "not_found"],
    run: async ({ caller, input }) => ({
      redirectTo: await interactions.answer(input.uid, sessions.of(caller), input.allow),
    }),
  }),
];

function deviceRoutes({ services: { sessions }, oauth: { devices } }: RouteParts): PluginRoute[] {
  const asked = z.object({ client: application, scopes });
  return [
    defineRoute({
      ...own,
      method: "POST",
      name: "account.lookUpDevice",
      path: `${base}/account/device/lookup`,
      summary: "What the program asks for that shows a code. From then on only this session can answer the code.",
      input: z.object({ code }),
      output: asked,
      errors: ["not_allowed", "not_found", "rate_limited"],
      run: async ({ caller, input }) => {
        const match = await devices.look(input.code, sessions.of(caller));
        return { client: match.client, scopes: [...match.scopes] };
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      name: "account.approveDevice",
      path: `${base}/account/device/approve`,
      summary: "Signs in the program that shows a code, or refuses. The session must have looked the code up.",
      input: z.object({ code, allow: decision }),
      output: asked,
      errors: ["not_allowed", "not_found", "rate_limited"],
      run: async ({ caller, input }) => {
        const match = await devices.answer(input.code, sessions.of(caller), input.allow);
        return { client: match.client, scopes: [...match.scopes] };
      },
    }),
  ];
}

/** Routes of the authorization server: answers to applications. */
export const oauthRoutes = (parts: RouteParts): PluginRoute[] => [...interactionRoutes(parts), ...deviceRoutes(parts)];
