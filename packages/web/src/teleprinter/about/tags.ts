const mostTags = 16;
const longestTag = 32;

/** The unique tags in a typed line. */
export const tagsIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,]/).filter((word) => word !== "")),
];

/** True if the server accepts these tags. */
export const canBeTags = (tags: readonly string[]): boolean =>
  tags.length <= mostTags && tags.every((tag) => [...tag].length <= longestTag);
