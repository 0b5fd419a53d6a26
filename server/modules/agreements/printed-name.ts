import { addLatinSpelling, hasLatinSpelling } from '@keyturn/contract/agreements/latin-spelling.ts'
import { findUndrawable } from '../../shared/text-layout.ts'

/**
 * Returns the name of a party as papers print it. Beside a name with a letter that no typeface has
 * stands its Latin spelling, or else the name that was signed (R-deals-103). Any other name is
 * printed alone, so that a signature cannot add to it.
 */
export function printedName(party: string, signed: { name: string } | undefined): string {
  if (!signed || signed.name === party || !findUndrawable(party)) return party
  const isSpelled = signed.name.startsWith(`${party} (`) && hasLatinSpelling(signed.name)
  return isSpelled ? signed.name : addLatinSpelling(party, signed.name)
}
