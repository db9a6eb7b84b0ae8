/**
 * True from the moment the packages are in the registry. After a change, `npm run texts` writes what the documents, `deploy/install.sh` and
 * create-telex say about installing.
 */
export const isPublished: boolean = false;
