export function lookForSecrets(folder: string): { files: number; secrets: number; found: string[] }
export function undeclaredIn(folder: string): string[]
export function withoutSecrets(folder: string, place: string): string
