/**
 * True once the packages are in the registry. After a change, `npx node scripts/texts.ts` writes what the documents, `deploy/install.sh` and
 * create-telex say about installing.
 */
export const isPublished: boolean = false;
