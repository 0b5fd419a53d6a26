import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for processes or try many rounds. */
const long =
  /\/(main|embedded-postgres\/open|crash|mail-at-the-end|steps|fuzz|deadlocks|vin-decoder)\.test\.ts$/

/**
 * What takes longest is begun first, what takes least fills the end: else one core works on a race while the other has
 * nothing to do. Vitest itself goes by the names of the projects. (A class, for vitest makes one of it.)
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'races') return 0
  if (project.name === 'pure') return 3
  return long.test(moduleId) ? 1 : 2
}
