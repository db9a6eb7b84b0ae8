export const style = "";
export const renderReference = (document: unknown, base: string): string => `${base}${typeof document}`;
