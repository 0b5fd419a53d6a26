import type { Deps } from './deps.ts'
import type { DemoPerson } from './welcome.ts'

export async function seedDemo(_deps: Deps, _say: (line: string) => void): Promise<DemoPerson[]> {
  return []
}
