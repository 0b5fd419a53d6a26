import { apiDocs } from '@keyturn/contract/api-docs.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { allErrors } from '@keyturn/contract/errors.ts'
import { buildOpenApi } from '@keyturn/contract/openapi/build-openapi.ts'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DevelopersPage } from './developers-page.tsx'

const document = buildOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0' })
const html = renderToStaticMarkup(createElement(DevelopersPage, { document }))
const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

// R-everywhere-68
test('explains every operation for integrators, and no other', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  for (const operation of operations)
    expect([operation.operationId, ids.includes(operation.operationId)]).toEqual([
      operation.operationId,
      operation['x-internal'] !== true,
    ])
})

// R-everywhere-68
test('has links that all lead somewhere, and fits a phone’s connection', () => {
  const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id)
  expect(targets.length).toBeGreaterThan(400)
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  expect(html.length).toBeLessThan(600_000)
})

// R-everywhere-68
test('folds operations, schemas and codes, each around the target of its links', () => {
  const folds = html.split('<details').slice(1)
  const idOf = (fold: string) => / id="([^"]+)"/.exec(fold.split('</summary>')[1] ?? '')?.[1] ?? ''
  const folded = folds.map(idOf)
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  for (const { operationId, 'x-internal': isInternal } of operations)
    expect([operationId, folded.includes(operationId)]).toEqual([operationId, isInternal !== true])
  expect(ids.filter((id) => id.startsWith('schema-')).filter((id) => !folded.includes(id))).toEqual([])
  // The heading and the address stay visible, and a link to a title would open nothing.
  for (const fold of folds) {
    const [summary = ''] = fold.split('</summary>')
    expect([summary.includes('<h3'), / id=| href=/.test(summary)]).toEqual([true, false])
  }
  expect(folds.join('')).not.toContain('<details')
})

test('says once how long a value may be', () => {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain('The phone number, as entered. 10 to 17 characters.')
  expect(text).not.toMatch(/characters\. At most/)
})
