import { spawnSync } from 'node:child_process'
import { startLongBench } from './benches/start.mjs'
import { say } from './run.mjs'
import { distributionPostgres } from './test-runner/postgres-server.mjs'

// `npm run ha [-- WORDS]`: builds the cluster of docs/operations.md on this machine, sells cars while
// parts of it fail, and prints what was lost. WORDS choose the faults with these words in their names.
const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => spawnSync('which', [name]).status !== 0)
const { stdout } = spawnSync('patroni', ['--version'], { encoding: 'utf8' })
const binDir = distributionPostgres()
if (missing.length > 0 || !binDir || !/ ([4-9]|\d\d)\./.test(stdout)) {
  say(
    'This needs Patroni 4, etcd, HAProxy and PostgreSQL (Debian 13: apt-get install patroni etcd-server haproxy postgresql)',
  )
  process.exitCode = 1
} else {
  await startLongBench('tests/ha/main.ts', [binDir])
}
