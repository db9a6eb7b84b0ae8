/** A reference with which calls can be tried, as `reference` of `@telex/reference` returns it: a page at `/reference`, and files below it. */
export interface InteractiveReference {
  /** Files by their names below `/reference/`. Each is read once, for the first request. */
  readonly files: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<Uint8Array> }>>;
  /** @returns the page that shows the documents at these paths, which the base path precedes */
  readonly render: (place: { readonly basePath: string; readonly documents: readonly string[] }) => string;
  readonly contentSecurityPolicy: string;
}
