import { TelexError } from "@telex/core";
import type { Telex } from "@telex/core";
import type { ClientRecord } from "@telex/core/storage";
import type { Interaction, InteractionResults } from "oidc-provider";
import type { Current } from "../sessions/sessions.ts";
import type { Clients } from "./clients/clients.ts";
import { makeGrant } from "./make-grant.ts";
import type { Providing } from "./provider.ts";
import { grantableScopes, type OAuthScope } from "./scopes.ts";

/** A question of an application that a person answers. */
export interface Question {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly OAuthScope[];
  /** True if the application wants the person to sign in again: the password must be confirmed first. */
  readonly confirm: boolean;
  /** True if the person is asked for consent; false if signing in was all that was missing. */
  readonly consent: boolean;
  /** Where the answer goes, such as `https://app.example`; null for a custom scheme. */
  readonly target: string | null;
}

interface InteractionsDeps {
  readonly telex: Pick<Telex, "clock" | "security">;
  readonly clients: Pick<Clients, "find">;
  readonly providing: Providing;
}

type Provider = Awaited<ReturnType<Providing["provider"]>>;

/** Reasons for which being signed in is not enough: the person must show the password again. */
const strict: readonly string[] = ["login_prompt", "max_age"];

function targetOf({ params }: Interaction): string | null {
  const url = typeof params["redirect_uri"] === "string" ? URL.parse(params["redirect_uri"]) : null;
  if (url === null) return null;
  return url.origin === "null" ? url.protocol : url.origin;
}

/** True if the person has shown the password after the application asked. */
const isFresh = ({ iat }: Interaction, { session }: Current): boolean => session.confirmedAt >= (iat ?? 0) * 1000;

function mustConfirm(interaction: Interaction, current: Current): boolean {
  const { name, reasons } = interaction.prompt;
  return name === "login" && reasons.some((reason) => strict.includes(reason)) && !isFresh(interaction, current);
}

/** True if the application still names the address to which the answer goes: its document may have changed since it asked. */
async function isTarget(provider: Provider, { clientId }: ClientRecord, { params }: Interaction): Promise<boolean> {
  const client = await provider.Client.find(clientId);
  return client?.redirectUriAllowed(String(params["redirect_uri"])) === true;
}

/** Questions of applications, by the uid of the interaction. */
export function createInteractions({ telex, clients, providing }: InteractionsDeps) {
  const find = async (provider: Provider, uid: string): Promise<Interaction> => {
    const interaction = await provider.Interaction.find(uid);
    if (interaction === undefined) throw new TelexError("not_found");
    return interaction;
  };
  const read = async (provider: Provider, interaction: Interaction, current: Current): Promise<Question> => {
    const client = await clients.find(String(interaction.params["client_id"]));
    if (client === null || !(await isTarget(provider, client, interaction))) throw new TelexError("not_found");
    return {
      client: { id: client.clientId, name: client.name },
      scopes: grantableScopes(interaction.params["scope"], client.scopes),
      confirm: mustConfirm(interaction, current),
      consent: interaction.prompt.name === "consent",
      target: targetOf(interaction),
    };
  };
  const answer = async (interaction: Interaction, result: InteractionResults): Promise<string> => {
    interaction.result = "error" in result ? result : { ...interaction.lastSubmission, ...result };
    await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)));
    return interaction.returnTo;
  };
  const grant = async (provider: Provider, uid: string, { client, scopes }: Question, userId: number) => {
    return await makeGrant(telex, provider, { question: uid, userId, clientId: client.id, scopes });
  };
  const login = (interaction: Interaction, accountId: string): InteractionResults =>
    // The same question after an answer: another account would be needed.
    interaction.lastSubmission?.login === undefined ? { login: { accountId } } : { error: "login_required" };
  return {
    /** The question. Throws `not_found` if it was answered or has expired. */
    async look(uid: string, current: Current): Promise<Question> {
      const provider = await providing.provider();
      return await read(provider, await find(provider, uid), current);
    },
    /**
     * Answers a question for the person who is signed in.
     * @returns where the browser goes
     * @throws TelexError `not_found`, `not_confirmed`
     */
    async answer(uid: string, current: Current, isAllowed: boolean): Promise<string> {
      const provider = await providing.provider();
      const interaction = await find(provider, uid);
      if (!isAllowed)
        return await answer(interaction, { error: "access_denied", error_description: "The person refused." });
      const question = await read(provider, interaction, current);
      if (question.confirm) throw new TelexError("not_confirmed");
      const { userId } = current.account;
      if (!question.consent) return await answer(interaction, login(interaction, String(userId)));
      return await answer(interaction, { consent: { grantId: await grant(provider, uid, question, userId) } });
    },
  };
}

/** See {@link createInteractions}. */
export type Interactions = ReturnType<typeof createInteractions>;
