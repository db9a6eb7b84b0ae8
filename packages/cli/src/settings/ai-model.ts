/** `[name=]model[@inputTokens]`: what `aiEmbeddingModels` is made of. */
export const aiEmbeddingModel = /^(?:([^=@,\s]+)=)?([^=@,\s]+?)(?:@([1-9]\d{0,8}))?$/;

/** `[name=]model[@contextTokens/maxOutputTokens][+images][+tools]`: what `aiModels` is made of. */
export const aiModel = /^(?:([^=@,\s]+)=)?([^=@,\s]+?)(?:@([1-9]\d{0,8})\/([1-9]\d{0,8}))?((?:\+(?:images|tools))*)$/;
