import type { Caller } from "@telex/core";
import type { BodyBounds } from "../request/body-cost.ts";
import { tooLarge } from "../request/measure.ts";
import { isFields } from "./fields.ts";
import type { HttpTelex } from "../limits.ts";

/**
 * How large the body of a prompt may be: as any other, and up to `promptSize` with pictures for a model that takes them. The
 * model is known only from the body, so a large one is read if any model takes pictures, and what is in it besides them
 * is bounded before it is parsed.
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
        const asked = body["model"] ?? models[0]?.model;
        // The operation refuses the name of a model that does not exist.
        if (models.some(({ model, images }) => model === asked && !images)) throw tooLarge(bodySize);
      },
    };
  };
