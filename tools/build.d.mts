/** Hashes the sources of these packages and the tools that build them. */
export function fingerprintOf(packages: readonly string[]): string
export function buildIfChanged(): Promise<void>
