export function findSecrets(folder: string): { files: number; secrets: number; found: string[] }
export function undeclaredIn(folder: string): string[]
export function withoutSecrets(folder: string, location: string): string
