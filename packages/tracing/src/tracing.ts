import {
  type Context,
  context,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { definePlugin, type ErrorCode, type ObservedCall, type Observer, type Plugin, TelexError } from "@telex/core";

const instrumentation = "@telex/tracing";

/** Failures of the server. What a caller does wrong is not an error of its span. */
const faults: ReadonlySet<ErrorCode> = new Set(["internal", "storage_unavailable", "storage_full"]);

/** True once an SDK was registered: without one, the API hands out spans that do nothing, but not for nothing. */
function isRegistered(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(instrumentation) !== undefined;
}

/** Where the span of a call belongs: below the span of the host if there is one, otherwise below that of the caller. */
function parentOf({ trace: headers }: ObservedCall): Context {
  const active = context.active();
  if (headers === undefined || trace.getSpan(active) !== undefined) return active;
  const { traceparent, tracestate } = headers;
  return propagation.extract(active, { traceparent, ...(tracestate !== null && { tracestate }) });
}

const observeWith = (tracer: Tracer): Required<Pick<Observer, "call">> => ({
  call: (call, run) =>
    tracer.startActiveSpan(call.operation, { kind: SpanKind.SERVER }, parentOf(call), async (span) => {
      try {
        return await run();
      } catch (cause) {
        const { code } = TelexError.from(cause);
        span.setAttribute("error.type", code);
        if (faults.has(code)) span.setStatus({ code: SpanStatusCode.ERROR, message: code });
        throw cause;
      } finally {
        span.end();
      }
    }),
});

/**
 * Traces of OpenTelemetry: one span for each call, named after its operation, in the trace of the caller. Spans contain nothing that a
 * caller has sent. Without an SDK that is registered before, the plug-in observes nothing.
 * @example
 * trace.setGlobalTracerProvider(provider);
 * const telex = await createTelex({ ...options, plugins: [createTracing()] });
 */
export const createTracing = (): Plugin =>
  definePlugin({ name: "tracing", observer: isRegistered() ? observeWith(trace.getTracer(instrumentation)) : {} });
