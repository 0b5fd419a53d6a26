/** A traced operation. `about` must contain no personal data. */
export type SpanInput = {
  name: string
  kind?: 'server' | 'client' | 'work'
  about?: Record<string, string | number | undefined>
  /** Incoming `traceparent` header. */
  from?: string | undefined
}

/** Implemented by `traces.ts`, which is loaded only if a setting requires it. */
export type Tracing = {
  run<T>(input: SpanInput, work: () => Promise<T>): Promise<T>
  parent(): string | null
}

let tracing: Tracing | null = null

export function setTracing(given: Tracing | null): void {
  tracing = given
}

export const withSpan = <T>(input: SpanInput, work: () => Promise<T>): Promise<T> =>
  tracing ? tracing.run(input, work) : work()

/** Headers that make spans of another server children of our spans (W3C Trace Context). */
export function traceHeaders(): Record<string, string> {
  const parent = tracing?.parent() ?? null
  return parent === null ? {} : { traceparent: parent }
}
