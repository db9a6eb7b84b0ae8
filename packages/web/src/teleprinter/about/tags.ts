const mostTags = 16;
const longestTag = 32;

/** The tags in a typed line, each once. */
export const tagsIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,]/).filter((word) => word !== "")),
];

/** True for tags that the server takes. */
export const canBeTags = (tags: readonly string[]): boolean =>
  tags.length <= mostTags && tags.every((tag) => [...tag].length <= longestTag);
