/** The path of a Chromium that runs; throws an Error whose message says what to install. */
export function findChromium(say?: (line: string) => void): string
