import { type ChatModel, createFailover, type TelexOptions } from "@telex/core";
import { codeOf, messageOf, UsageError } from "../errors/errors.ts";
import { aiEmbeddingModel, aiModel } from "../settings/ai-model.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

type ServiceModel = ReturnType<typeof modelOf>;

function modelOf(written: string) {
  const [, name, model = written, contextTokens = "8192", maxOutputTokens = "1024", takes = ""] =
    aiModel.exec(written) ?? [];
  return {
    name: name ?? model,
    model,
    contextTokens: Number(contextTokens),
    maxOutputTokens: Number(maxOutputTokens),
    images: takes.includes("+images"),
    tools: takes.includes("+tools"),
    // Services reject the older name for models that reason.
    limitField: takes.includes("+reasoning") ? ("max_completion_tokens" as const) : ("max_tokens" as const),
  };
}

function embeddingModelOf(written: string) {
  const [, name, model = written, inputTokens = "8192"] = aiEmbeddingModel.exec(written) ?? [];
  return { name: name ?? model, model, inputTokens: Number(inputTokens) };
}

/** The names of the chat models of a server with these settings. */
export function modelNamesOf({ get, models }: Config): readonly string[] {
  const names = [...get(settings.aiModels).map((written) => modelOf(written).name), ...models.keys()];
  return names.length === 0 ? ["echo"] : names;
}

/** The names of those that can call tools. */
export function toolModelsOf({ get, models }: Config): readonly string[] {
  const ofService = get(settings.aiModels)
    .map(modelOf)
    .filter(({ tools }) => tools);
  const ofFile = [...models].filter(([, { takesTools }]) => takesTools === true);
  return [...ofService.map(({ name }) => name), ...ofFile.map(([name]) => name)];
}

/** The models of the service behind one model, which has several if it is a list. */
function membersOf({ model, ...options }: ServiceModel) {
  const members = model.split("|");
  const nameOf = (member: string): string => (members.length === 1 ? options.name : `${options.name}=${member}`);
  return members.map((member) => ({ ...options, name: nameOf(member), model: member }));
}

/** A model with its members, which are asked one after the other. */
function withMembers(model: ServiceModel, members: ReadonlyMap<string, ChatModel>, silence: number): ChatModel {
  const found = membersOf(model).flatMap(({ name, model: member }) => {
    const one = members.get(name);
    return one === undefined ? [] : [[member, one] as const];
  });
  const [first, ...others] = found;
  return first !== undefined && others.length === 0 ? first[1] : createFailover(found, { silence });
}

function assertMembers(models: readonly ServiceModel[]): void {
  for (const { name, model } of models) {
    const members = model.split("|");
    const isRight =
      members.length === 1 || (name !== model && !members.includes("") && new Set(members).size === members.length);
    if (!isRight)
      throw new UsageError(
        `The list ${model} in aiModels needs a name and different models, such as main=large|small.`,
      );
  }
}

function assertDifferent(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new UsageError(`Two models are named ${twice}. Give one of them another name, such as other=${twice}.`);
}

function refuseKeyFile(file: string, cause: unknown): never {
  const reason = codeOf(cause) ?? messageOf(cause);
  throw new UsageError(`aiKeyFile must be a file with the key and nothing else; ${file} cannot be used (${reason}).`, {
    cause,
  });
}

/**
 * The plug-ins for the models in the settings; none if the settings name no service.
 * @throws UsageError for settings that contradict each other
 */
export async function aiPluginsOf(config: Config): Promise<NonNullable<TelexOptions["plugins"]>> {
  const { get } = config;
  const [baseUrl, key, keyFile] = [get(settings.aiUrl), get(settings.aiKey), get(settings.aiKeyFile)];
  const models = get(settings.aiModels).map(modelOf);
  const ofFile = config.models.size === 0 ? [] : [{ name: "configuration file", models: config.models }];
  const embeddingModels = get(settings.aiEmbeddingModels).map(embeddingModelOf);
  const isEmpty = models.length === 0 && embeddingModels.length === 0;
  if (key !== null && keyFile !== null) throw new UsageError("Give either aiKey or aiKeyFile, not both.");
  if (baseUrl === null && isEmpty && key === null && keyFile === null) return ofFile;
  if (baseUrl === null)
    throw new UsageError(
      "aiModels, aiEmbeddingModels, aiKey and aiKeyFile need aiUrl, the service that they belong to.",
    );
  assertDifferent([...modelNamesOf(config), ...embeddingModels.map(({ name }) => name)]);
  assertMembers(models);
  if (isEmpty) throw new UsageError("aiUrl needs aiModels, such as gpt-5-mini@128000/16000.");
  // Loads the client only for servers that use it.
  const { keyFromFile, openAiModels } = await import("@telex/ai-openai");
  const secret = keyFile === null ? (key ?? "") : keyFromFile(keyFile);
  // The file is read for each request, so that it can be replaced. A missing file is reported when the server starts.
  if (typeof secret === "function") await secret().catch((cause: unknown) => refuseKeyFile(keyFile ?? "", cause));
  try {
    const plugin = openAiModels({ baseUrl, key: secret, models: models.flatMap(membersOf), embeddingModels });
    const members = plugin.models ?? new Map<string, ChatModel>();
    const silence = get(settings.aiFailover);
    const named = models.map((model) => [model.name, withMembers(model, members, silence)] as const);
    return [{ ...plugin, models: new Map(named) }, ...ofFile];
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
