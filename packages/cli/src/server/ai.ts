import type { TelexOptions } from "@telex/core";
import { codeOf, messageOf, UsageError } from "../errors/errors.ts";
import { aiEmbeddingModel, aiModel } from "../settings/ai-model.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

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
export function modelNamesOf({ get }: Config): readonly string[] {
  const models = get(settings.aiModels).map((written) => modelOf(written).name);
  return models.length === 0 ? ["echo"] : models;
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
  const embeddingModels = get(settings.aiEmbeddingModels).map(embeddingModelOf);
  const isEmpty = models.length === 0 && embeddingModels.length === 0;
  if (key !== null && keyFile !== null) throw new UsageError("Give either aiKey or aiKeyFile, not both.");
  if (baseUrl === null && isEmpty && key === null && keyFile === null) return [];
  if (baseUrl === null)
    throw new UsageError(
      "aiModels, aiEmbeddingModels, aiKey and aiKeyFile need aiUrl, the service that they belong to.",
    );
  assertDifferent([...modelNamesOf(config), ...embeddingModels.map(({ name }) => name)]);
  if (isEmpty) throw new UsageError("aiUrl needs aiModels, such as gpt-5-mini@128000/16000.");
  // Loads the client only for servers that use it.
  const { keyFromFile, openAiModels } = await import("@telex/ai-openai");
  const secret = keyFile === null ? (key ?? "") : keyFromFile(keyFile);
  // The file is read for each request, so that it can be replaced. A missing file is reported when the server starts.
  if (typeof secret === "function") await secret().catch((cause: unknown) => refuseKeyFile(keyFile ?? "", cause));
  try {
    return [openAiModels({ baseUrl, key: secret, models, embeddingModels })];
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
