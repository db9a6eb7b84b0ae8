import { maskAll, maskUrl } from "@telex/core/options";
import { aiEmbeddingModel, aiModel } from "../ai-model.ts";
import { secret, choice, integer, list, optional, text } from "../kind.ts";
import { url } from "../address-kinds.ts";
import { duration } from "../quantity-kinds.ts";
import { define } from "../setting.ts";

/** AI models and their quota. */
export const aiRows = {
  quotaUnit: define("quotaUnit", choice("count", "token"), "count", "what the default quota counts"),
  quotaMax: define("quotaMax", integer(0), 100, "the default quota in a period"),
  quotaPeriod: define(
    "quotaPeriod",
    choice("daily", "weekly", "monthly"),
    "daily",
    "how long a period of the default quota is",
  ),
  aiUrl: define(
    "aiUrl",
    optional(url("http:", "https:")),
    null,
    "OpenAI-compatible service behind the AI chat, such as https://api.openai.com/v1; by default, the model echo repeats each question",
    maskUrl,
  ),
  aiKey: define(
    "aiKey",
    optional(secret("<key>")),
    null,
    "key of the service at aiUrl; other users of the machine can see a flag, so prefer TELEX_AI_KEY or aiKeyFile",
    maskAll,
  ),
  aiKeyFile: define(
    "aiKeyFile",
    optional(text("<file>")),
    null,
    "file with the key of the service at aiUrl; the server reads it for each request",
  ),
  aiModels: define(
    "aiModels",
    list("models such as gpt-5-mini@128000/16000 or fast=llama3:8b", aiModel),
    [],
    "models of the service at aiUrl, the default first: [name=]model[@contextTokens/maxOutputTokens][+images][+tools][+reasoning]; 8192/1024 by default; main=a|b asks b if a fails",
  ),
  aiFailover: define(
    "aiFailover",
    duration,
    20_000,
    "time without a piece of a reply after which the next model of main=a|b is asked",
  ),
  aiEmbeddingModels: define(
    "aiEmbeddingModels",
    list("models such as text-embedding-3-small@8192", aiEmbeddingModel),
    [],
    "models of the service at aiUrl that turn texts into vectors: [name=]model[@inputTokens]; 8192 by default",
  ),
} as const;
