import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, expect, test } from 'vitest'
import { apiDocs } from '../contract/api-docs.ts'
import { allEndpoints } from '../contract/endpoints.ts'
import { allErrors } from '../contract/errors.ts'
import { buildOpenApi } from '../contract/openapi/build-openapi.ts'
import type { MediaTypes } from '../contract/openapi/document.ts'
import { exampleOf } from '../contract/openapi/example-of.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'keyturn-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))
const document = buildOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0' })

/** Returns what Redocly reports about a document, without reaching its servers. */
function lint(given: object): string {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(given))
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const config = join(root, 'redocly.yaml')
  const options = ['lint', file, `--config=${config}`, '--format=json', '--max-problems=20']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    return execFileSync(process.execPath, [redocly, ...options], { env, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}
const problemsIn = (report: string) =>
  (JSON.parse(report) as { problems: { ruleId: string; message: string }[] }).problems.map(
    ({ ruleId, message }) => `${ruleId}: ${message}`,
  )

// R-everywhere-67
test('is an OpenAPI 3.1 document without any complaint of the linter', () => {
  expect(problemsIn(lint(document))).toEqual([])
  const [, withoutSummary] = [document.openapi, structuredClone(document)]
  Object.assign(withoutSummary.paths['/user']?.get ?? {}, { summary: '' })
  expect(problemsIn(lint(withoutSummary)).join()).toContain('operation-summary')
})

// R-everywhere-67
test('has examples that its own schemas accept', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, multipleOfPrecision: 6 })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const invalid: string[] = []
  const check = (name: string, content: MediaTypes | undefined) => {
    const { schema, example } = content?.['application/json'] ?? {}
    if (!schema) return
    const value = example ?? exampleOf(document, schema)
    const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
    const validate = ajv.compile(resolved)
    if (!validate(value)) invalid.push(`${name}: ${ajv.errorsText(validate.errors)}`)
  }
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (operation['x-internal']) continue
      check(`${method} ${path} request`, operation.requestBody?.content)
      for (const [status, response] of Object.entries(operation.responses))
        if ('content' in response) check(`${method} ${path} ${status}`, response.content)
    }
  for (const [name, { post }] of Object.entries(document.webhooks)) check(name, post.requestBody?.content)
  expect(invalid).toEqual([])
})
