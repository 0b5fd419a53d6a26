export function nodeError(version: string): string | null
export function nodeNotice(version: string): string | null
