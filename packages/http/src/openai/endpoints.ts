import { aiContract } from "@telex/core/contract";
import { envelopeHeaders } from "../response/http-response.ts";
import { createEndpoint, type Endpoint } from "../endpoints/operations.ts";
import { createCompletions } from "./completions.ts";
import { createEmbeddings } from "./embeddings.ts";
import { openAiRefuser } from "./refuser.ts";
import { createResponses } from "./responses.ts";
import type { HttpTelex } from "../limits.ts";

const createModels = (telex: HttpTelex): Endpoint =>
  createEndpoint({
    name: "ai.models",
    operation: aiContract.models,
    route: { method: "GET", path: "/v1/models", token: "header", input: "query", response: "envelope" },
    refuser: openAiRefuser,
    async call(caller) {
      const models = [...(await telex.ai.models(caller, {})), ...(await telex.ai.embeddingModels(caller, {}))];
      return models.map(({ model }) => ({ id: model, object: "model", created: 0, owned_by: "telex" }));
    },
    write: (data) => ({ status: 200, headers: envelopeHeaders, body: JSON.stringify({ object: "list", data }) }),
  });

/** The endpoints below `/v1`: behind the same tokens and the same quota. They store nothing. */
export const createOpenAiEndpoints = (telex: HttpTelex): readonly Endpoint[] => [
  createCompletions(telex),
  createResponses(telex),
  createEmbeddings(telex),
  createModels(telex),
];
