import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene } from "@telex/conformance/testing";
import { createHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createTracing } from "../src/index.ts";

/** Registers an SDK that keeps the spans that have ended. */
function register(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return exporter;
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

/** A server that is traced, and a user of it. */
async function start() {
  const storage = createMemoryStorage();
  const blobs = createMemoryBlobs();
  const { telex, person } = await createScene({
    storage,
    blobs,
    images: createSharpEngine(),
    plugins: [createTracing()],
  });
  onTestFinished(() => telex.close());
  const { token } = await person("Alice");
  const http = createHttp(telex);
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
    const request = new Request(`http://telex.test${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return (await http.fetch(request)).status;
  };
  return { get, storage };
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const devices = "/external/api/v1/teleprinter/devices";
const messages = "/external/api/v1/teleprinter/messages?deviceId=secret-printer";

describe("traces", () => {
  it("have a span for each call, in the trace of the caller", async () => {
    const exporter = register();
    const { get } = await start();
    exporter.reset();
    expect(await get(devices, { traceparent: `00-${traceId}-${parentId}-01`, tracestate: "a=b" })).toBe(200);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({
      name: "teleprinter.devices",
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId, spanId: parentId },
    });
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.spanContext().traceState?.get("a")).toBe("b");
  });

  it("begin with a call whose caller names none, or one that cannot be", async () => {
    const exporter = register();
    const { get } = await start();
    exporter.reset();
    await get(devices);
    await get(devices, { traceparent: "00-zebra" });
    expect(exporter.getFinishedSpans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("go on below the span of the host", async () => {
    const exporter = register();
    const { get } = await start();
    exporter.reset();
    const host: Span = trace.getTracer("host").startSpan("request");
    await context.with(trace.setSpan(context.active(), host), () =>
      get(devices, { traceparent: `00-${traceId}-${parentId}-01` }),
    );
    host.end();
    const [span] = exporter.getFinishedSpans();
    expect(span?.parentSpanContext?.spanId).toBe(host.spanContext().spanId);
  });

  it("are the context of what the call does", async () => {
    const exporter = register();
    const { get, storage } = await start();
    const listDevices = storage.teleprinter.listDevices.bind(storage.teleprinter);
    const seen: unknown[] = [];
    storage.teleprinter.listDevices = (owner) => {
      seen.push(trace.getActiveSpan()?.spanContext().spanId);
      return listDevices(owner);
    };
    exporter.reset();
    await get(devices);
    expect(seen).toEqual([exporter.getFinishedSpans()[0]?.spanContext().spanId]);
  });

  it("name the code of an error, and mark failures of the server alone; they hold nothing of the input", async () => {
    const exporter = register();
    const { get, storage } = await start();
    exporter.reset();
    expect(await get(messages)).toBe(404);
    storage.teleprinter.listDevices = () => Promise.reject(new Error("a secret path"));
    expect(await get(devices)).toBe(500);
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ attributes, status }) => [attributes["error.type"], status.code])).toEqual([
      ["device_not_found", SpanStatusCode.UNSET],
      ["internal", SpanStatusCode.ERROR],
    ]);
    expect(
      JSON.stringify(spans.map(({ name, attributes, events, status }) => [name, attributes, events, status])),
    ).not.toContain("secret");
  });

  it("are off without an SDK: nothing is put around a call", () => {
    expect(createTracing().observer).toEqual({});
  });
});
