/** Why the start cannot go on, in one line that a person can act on. `main.ts` prints it and exits with 1. */
export class StartupError extends Error {
  override readonly name = 'StartRefusal'
}
