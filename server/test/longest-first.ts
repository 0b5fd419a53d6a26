import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait, for processes or for time, and use little of the processor. */
const waiting =
  /\/(main|verify-agreements|embedded-postgres\/open|connections|lost-connections|crash|mail-at-the-end|jobs|jobs-stalled|vin-decoder|(fleet|backup)\/[^/]+)\.test\.ts$/
/** Files that work for long. */
const working = /\/(steps|fuzz|deadlocks|database-checks)\.test\.ts$/

/**
 * What takes longest is begun first, what takes least fills the end: else one core works on a race while the other has
 * nothing to do. Files that wait are begun in turns with files that work, so that no core waits with them. Vitest itself
 * goes by the names of the projects. (A class, for vitest makes one of it.)
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const of = (kind: Kind) => sorted.filter((file) => kindOf(file) === kind)
    return [...of('race'), ...inTurns([...of('working'), ...of('short')], of('waiting')), ...of('pure')]
  }
}

type Kind = 'race' | 'working' | 'waiting' | 'short' | 'pure'

function kindOf({ project, moduleId }: TestSpecification): Kind {
  if (project.name === 'pure') return 'pure'
  if (moduleId.endsWith('races.test.ts')) return 'race'
  if (waiting.test(moduleId)) return 'waiting'
  return working.test(moduleId) ? 'working' : 'short'
}

const inTurns = <One>(first: One[], second: One[]): One[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [
    ...first.slice(i, i + 1),
    ...second.slice(i, i + 1),
  ]).flat()
