/** `[name=]model[@contextTokens/maxOutputTokens]`: what `aiModels` is made of. */
export const aiModel = /^(?:([^=@,\s]+)=)?([^=@,\s]+)(?:@([1-9]\d{0,8})\/([1-9]\d{0,8}))?$/;
