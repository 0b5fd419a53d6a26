/** A piece of work that somebody may want to see; nothing in `about` names a person. */
export type Piece = {
  name: string
  kind?: 'server' | 'client' | 'work'
  about?: Record<string, string | number | undefined>
  /** What began it, as the `traceparent` of whoever asked says. */
  from?: string | undefined
}

/** What writes spans down (`traces.ts`), which is loaded only where a setting asks for them. */
export type Tracing = {
  run<T>(piece: Piece, work: () => Promise<T>): Promise<T>
  parent(): string | null
}

let tracing: Tracing | null = null

export function traceBy(given: Tracing | null): void {
  tracing = given
}

export const inSpan = <T>(piece: Piece, work: () => Promise<T>): Promise<T> =>
  tracing ? tracing.run(piece, work) : work()

/** For a request to somebody else's server, by which its spans stand below ours (W3C Trace Context). */
export function traceHeaders(): Record<string, string> {
  const parent = tracing?.parent() ?? null
  return parent === null ? {} : { traceparent: parent }
}
