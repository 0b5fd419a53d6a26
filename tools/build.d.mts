/** Covers the sources of these homes, and what they are built by. */
export function fingerprintOf(homes: readonly string[]): string
export function buildIfChanged(): Promise<void>
