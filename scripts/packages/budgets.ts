/**
 * The maximum size of each package's tarball in KiB: the measured size and about an eighth more. A commit that makes a package larger
 * raises its budget here.
 */
export const budgets: Readonly<Record<string, number>> = {
  "@telex/ai-openai": 20,
  "@telex/ai-sdk": 12,
  "@telex/auth-server": 206,
  "@telex/avatars": 6,
  "@telex/blobs": 22,
  "@telex/bot-onebot": 112,
  "@telex/bus-nats": 14,
  "@telex/cli": 3800,
  "@telex/conformance": 130,
  "@telex/core": 345,
  "@telex/escpos": 20,
  "@telex/files": 32,
  "@telex/ground": 60,
  "@telex/http": 160,
  "@telex/image-text": 31,
  "@telex/metrics": 12,
  "@telex/mqtt": 40,
  "@telex/outgoing": 9,
  "@telex/reference": 1600,
  "@telex/search-terms": 49,
  "@telex/storage-memory": 43,
  "@telex/storage-mongo": 102,
  "@telex/storage-sqlite": 106,
  "@telex/tracing": 8,
  "@telex/transfer": 8,
  "@telex/web": 210,
  "@telex/ws": 76,
  "create-telex": 16,
};
