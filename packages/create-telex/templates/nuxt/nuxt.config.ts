export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  telemetry: false,
  // The build is a handler that `main.ts` calls, because the sockets of Telex need the server itself.
  nitro: { preset: "node-listener", serveStatic: true },
});
