import type { Caller } from "@telex/core";
import type { BodyBounds } from "../request/body-cost.ts";
import { tooLarge } from "../request/measure.ts";
import { isFields } from "./fields.ts";
import type { HttpTelex } from "../limits.ts";

/**
 * The maximum size of the body of a prompt: that of other bodies, or `promptSize` with pictures for a model that accepts them. Only
 * the body names the model, so the server reads a large body if any model accepts pictures, and bounds the rest of the body
 * before it parses it.
 */
export const createPromptBounds =
  ({ ai, limits: { bodySize, promptSize } }: Pick<HttpTelex, "ai" | "limits">) =>
  async (caller: Caller): Promise<BodyBounds> => {
    const models = await ai.models(caller, {});
    if (!models.some(({ images }) => images)) return { bodySize };
    return {
      bodySize: Math.max(bodySize, promptSize),
      besidePictures: bodySize,
      check(body, size) {
        if (size <= bodySize || !isFields(body)) return;
        const modelName = body["model"] ?? models[0]?.model;
        // The operation refuses the name of a model that does not exist.
        if (models.some(({ model, images }) => model === modelName && !images)) throw tooLarge(bodySize);
      },
    };
  };
