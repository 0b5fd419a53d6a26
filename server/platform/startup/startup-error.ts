/**
 * Error that prevents the start, with a one-line message an operator can act on. `main.ts` prints
 * it and exits with 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
