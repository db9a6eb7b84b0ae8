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

/** Failures of the server. Errors of the caller do not mark a span as failed. */
const faults: ReadonlySet<ErrorCode> = new Set(["internal", "storage_unavailable", "storage_full"]);

/** True after an SDK was registered. Without one, the API still spends time on spans that do nothing. */
function isRegistered(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(instrumentation) !== undefined;
}

/** The parent of a call's span: the span of the host if there is one, otherwise that of the caller. */
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
 * OpenTelemetry traces: one span for each call, named after its operation, in the trace of the caller. Spans contain no input of
 * callers. Register an SDK first, otherwise the plug-in does nothing.
 * @example
 * trace.setGlobalTracerProvider(provider);
 * const telex = await createTelex({ ...options, plugins: [createTracing()] });
 */
export const createTracing = (): Plugin =>
  definePlugin({ name: "tracing", observer: isRegistered() ? observeWith(trace.getTracer(instrumentation)) : {} });
