// @module-tag full

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startServerOn } from '../../../tests/cluster/start-server-on.ts'
import { freePort } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { fetchMetrics, readLabels, readMetric } from './fetch-metrics.ts'

// The monitoring files for operators use only metrics that the server has.

const server = await startTestServer()
const root = new URL('../../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const rulesFile = 'operations/prometheus/alerts.yml'
const dashboardFile = 'operations/grafana/keyturn.json'

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }
const dashboard: Dashboard = JSON.parse(read(dashboardFile))
const alerts = read(rulesFile)
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expression: /expr: (?:>-)?([\s\S]*?)\n +(?:for|labels):/.exec(text)?.[1] ?? '',
    summary: /summary: (.+)/.exec(text)?.[1] ?? '',
    runbook: /runbook: (\S+)/.exec(text)?.[1] ?? '',
  }))

test('exports every metric and label that the dashboard and the alerts use', async () => {
  const port = await freePort()
  await startServerOn(server, { SERVER_PROCESSES: '2', METRICS_PORT: String(port) })
  const text = await fetchMetrics(`http://127.0.0.1:${port}/metrics`)
  const there = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const named = [...shown, ...alerts.map(({ expression }) => expression)]
    .flatMap((expression) => expression.match(/\b(keyturn|nodejs|process)_\w+/g) ?? [])
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  expect(new Set(named).size).toBeGreaterThan(20)
  expect([...there]).toEqual(expect.arrayContaining(named))
  // Every metric of the server is used somewhere.
  const ours = [...there].filter((name) => name?.startsWith('keyturn_') && name !== 'keyturn_processes')
  expect(named).toEqual(expect.arrayContaining(ours))
  expect(readMetric(text, 'keyturn_processes_answering')).toBe(2)
  expect(readLabels(text, 'kind', 'keyturn_jobs_due')).toContain('send-mail')
})

test('describes the problem and the remedy for each alert', () => {
  const page = read('docs/operations.md')
  expect(alerts.length).toBeGreaterThan(10)
  for (const { name, expression, summary, runbook } of alerts) {
    expect(expression, name).toMatch(/\w/)
    expect(summary, name).toMatch(/\w{3}/)
    expect(runbook).toBe(`docs/operations.md#${name.toLowerCase()}`)
    expect(page).toContain(`\n#### ${name}\n`)
  }
  const described = [...page.matchAll(/^#### (Keyturn\w+)$/gm)].map(([, name]) => name)
  expect(described.sort()).toEqual(alerts.map(({ name }) => name).sort())
})

test.runIf(existsSync('/usr/bin/promtool'))('passes promtool’s check', () => {
  const said = execFileSync('/usr/bin/promtool', ['check', 'rules', new URL(rulesFile, root).pathname])
  expect(String(said)).toContain(`SUCCESS: ${alerts.length} rules found`)
})
