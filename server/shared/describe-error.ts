/**
 * Returns why something failed, in one line with the error's own code. Uses only the innermost
 * cause: a wrapped database error quotes the query's values, emails and codes among them.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause) return describeError(error.cause)
  // When several addresses were tried, the AggregateError often has no message of its own.
  const message =
    error.message || (error instanceof AggregateError ? error.errors.map(describeError).join('; ') : '')
  const line = message.replaceAll('\n', ' ')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return !code || line.includes(code) ? line : `${code}: ${line}`
}
