import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeclaredError, type OnApiError } from '../../server/platform/http/error-handlers.ts'

const folder = process.env.TEST_LOGS

/**
 * Fails a test file whose server sent an undeclared error, even if its tests expect that error.
 * Declared errors are recorded for `tools/test-runner/declared-errors.mjs`.
 */
export function watchDeclaredErrors(): { onApiError: OnApiError; check(): void } {
  const declared = new Set<string>()
  const undeclared = new Set<string>()
  return {
    onApiError: (call, code) => {
      if (isDeclaredError(call, code)) declared.add(`${call.name} ${code}`)
      else undeclared.add(`${call.name} answered ${code}, which it does not declare in "errors"`)
    },
    check() {
      if (folder && declared.size > 0)
        appendFileSync(join(folder, 'refusals.txt'), `${[...declared].join('\n')}\n`)
      if (undeclared.size > 0) throw new Error([...undeclared].join('\n'))
    },
  }
}
