/** A model of `aiEmbeddingModels`: `[name=]model[@inputTokens]`. */
export const aiEmbeddingModel = /^(?:([^=@,\s]+)=)?([^=@,\s]+?)(?:@([1-9]\d{0,8}))?$/;

/** A model of `aiModels`: `[name=]model[@contextTokens/maxOutputTokens][+images][+tools][+reasoning]`. `model` may be a list such as `a|b`. */
export const aiModel =
  /^(?:([^=@,\s]+)=)?([^=@,\s]+?)(?:@([1-9]\d{0,8})\/([1-9]\d{0,8}))?((?:\+(?:images|tools|reasoning))*)$/;
