// @module-tag full

import { expect, test, vi } from 'vitest'
import { listWorkerPids } from '../../../tests/cluster/worker-pids.ts'
import {
  freePort,
  minimalSettings,
  serverAddress,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { fetchMetrics, readMetric } from '../telemetry/fetch-metrics.ts'

const testServer = await startTestServer()

test('kills and replaces a process that has not responded for ten seconds', async () => {
  const metricsPort = await freePort()
  const server = startServerProcess({
    ...minimalSettings(testServer.databaseUrl),
    SERVER_PROCESSES: '2',
    LOG_TO: 'stdout',
    METRICS_PORT: String(metricsPort),
  })
  await server.says('Keyturn is ready')
  const before = listWorkerPids(server.pid)
  expect(before).toHaveLength(2)
  const [hung = 0, other = 0] = before
  process.kill(hung, 'SIGSTOP')
  const stopped = performance.now()
  await vi.waitFor(() => expect(listWorkerPids(server.pid)).not.toContain(hung), {
    timeout: 20_000,
    interval: 200,
  })
  expect(performance.now() - stopped).toBeGreaterThan(8_000)
  await vi.waitFor(() => expect(listWorkerPids(server.pid)).toHaveLength(2), {
    timeout: 20_000,
    interval: 200,
  })
  expect(listWorkerPids(server.pid)).toContain(other)
  expect(server.out()).toContain('killing a server process that did not answer for 10 s')
  const text = await fetchMetrics(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(readMetric(text, 'keyturn_processes_hung_total')).toBe(1)
  // Connections alternate between both processes.
  for (let i = 0; i < 6; i++)
    await vi.waitFor(async () => {
      const answer = await fetch(`${serverAddress(server)}/health/live`, { headers: { connection: 'close' } })
      expect(answer.status).toBe(200)
    }, 10_000)
})
