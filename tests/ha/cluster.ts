import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryOnce } from '../cluster/replacement.ts'
import { editOperationsFile } from '../cluster/start-program.ts'
import { freePort } from '../support/server-process.ts'
import { databaseUser, killTree, type Program, type RunAs, spawnProgram, waitUntil } from './processes.ts'

// Three PostgreSQL with Patroni and three etcd on loopback, from operations/patroni.yml.

const password = 'one of your own'
const names = ['db1', 'db2', 'db3'] as const

type Node = { name: string; port: number; restPort: number; folder: string; patroni: Program | null }
type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

export type Cluster = {
  /** Address of a database that names all three servers. */
  urlOf(database: string): string
  query<Row extends Record<string, unknown>>(text: string): Promise<Row[]>
  members(): Promise<Member[]>
  leader(): Promise<Node>
  /** A standby that may confirm commits. */
  confirmingStandby(): Promise<Node>
  /** Kills PostgreSQL and Patroni of a node at the same time, as a power failure does. */
  kill(node: Node): void
  /** Starts Patroni of a killed node again. */
  restart(node: Node): void
  /** Changes settings of the whole cluster. */
  configure(settings: Record<string, unknown>): Promise<void>
  waitUntilComplete(): Promise<void>
  stop(): void
}

export async function startCluster(folder: string, binDir: string): Promise<Cluster> {
  const runAs = databaseUser()
  const etcdHosts = await startEtcd(folder, runAs)
  const nodes: Node[] = []
  for (const name of names) {
    const node = { name, port: await freePort(), restPort: await freePort(), folder: join(folder, name) }
    makeFolder(node.folder, runAs)
    nodes.push({ ...node, patroni: null })
  }
  const start = (node: Node) => {
    const file = join(node.folder, 'patroni.yml')
    writeFileSync(file, configurationOf(node, etcdHosts.clients, binDir))
    node.patroni = spawnProgram(['patroni', file], {
      runAs,
      log: join(node.folder, 'log'),
      cwd: node.folder,
    })
  }
  for (const node of nodes) start(node)

  async function members(): Promise<Member[]> {
    const answers = nodes.map(async ({ restPort }) => {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(2000),
      })
      return ((await response.json()) as { members: Member[] }).members
    })
    return Promise.any(answers)
  }
  async function nodeWith(role: string): Promise<Node> {
    const found = (await members()).find((member) => member.role === role && isUp(member))
    const node = nodes.find(({ name }) => name === found?.name)
    if (!node) throw new Error(`No member is ${role}`)
    return node
  }
  const addressOf = ({ port }: Node) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const cluster: Cluster = {
    urlOf: (database) =>
      `postgres://postgres:${encodeURIComponent(password)}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    query: async (text) => queryOnce(addressOf(await cluster.leader()), text),
    members,
    leader: () => nodeWith('leader'),
    confirmingStandby: () => nodeWith('quorum_standby'),
    kill(node) {
      killTree(postmasterOf(node))
      if (node.patroni) killTree(node.patroni.pid)
    },
    restart: start,
    async configure(settings) {
      const { restPort } = await cluster.leader()
      const response = await fetch(`http://127.0.0.1:${restPort}/config`, {
        method: 'PATCH',
        body: JSON.stringify(settings),
      })
      if (!response.ok) throw new Error(`Patroni: ${response.status} ${await response.text()}`)
    },
    async waitUntilComplete() {
      await waitUntil('one primary and two standbys', 120_000, async () => {
        const all = await members()
        const [{ isSynchronous } = { isSynchronous: true }] = await cluster.query<{ isSynchronous: boolean }>(
          `select current_setting('synchronous_standby_names') <> '' as "isSynchronous"`,
        )
        const confirming = all.filter(({ role }) => role === 'quorum_standby').length
        return all.length === names.length && all.every(isUp) && confirming === (isSynchronous ? 2 : 0)
      })
    },
    stop() {
      for (const node of nodes) {
        killTree(postmasterOf(node))
        if (node.patroni) killTree(node.patroni.pid)
      }
      for (const etcd of etcdHosts.programs) killTree(etcd.pid)
    },
  }
  await cluster.waitUntilComplete()
  return cluster
}

const isUp = ({ state }: Member): boolean => state === 'running' || state === 'streaming'

/** Returns 0 when PostgreSQL has never started or was stopped. */
function postmasterOf({ folder }: Node): number {
  try {
    return Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

function configurationOf(node: Node, etcdHosts: string, binDir: string): string {
  return editOperationsFile('patroni.yml', [
    [/name: db1/, `name: ${node.name}`],
    [/10\.0\.0\.1:8008/g, `127.0.0.1:${node.restPort}`],
    [/hosts: 10\.0\.0\.1:2379\S*/, `hosts: ${etcdHosts}`],
    [/: 10\.0\.0\.1:5432/g, `: 127.0.0.1:${node.port}`],
    [/\/var\/lib\/postgresql\/15\/keyturn/, join(node.folder, 'data')],
    [/\/usr\/lib\/postgresql\/15\/bin/, binDir],
    [/\/var\/lib\/postgresql\/pgpass/, join(node.folder, 'pgpass')],
    [/10\.0\.0\.0\/24/g, '127.0.0.1/32'],
    // Sockets of three servers cannot share a folder, and this machine has no watchdog.
    [/( +)max_connections: 100/, `$&\n$1unix_socket_directories: ${node.folder}`],
    [/mode: required/, 'mode: off'],
  ])
}

async function startEtcd(folder: string, runAs: RunAs) {
  const members = await Promise.all(
    names.map(async (name) => ({ name, client: await freePort(), peer: await freePort() })),
  )
  const initial = members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',')
  const programs = members.map(({ name, client, peer }) => {
    const data = join(folder, `etcd-${name}`)
    makeFolder(data, runAs)
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
    const options = {
      name,
      'data-dir': join(data, 'data'),
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': initial,
    }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    return spawnProgram(['etcd', ...args], { runAs, log: join(data, 'log'), cwd: data })
  })
  return { clients: members.map(({ client }) => `127.0.0.1:${client}`).join(','), programs }
}

function makeFolder(folder: string, runAs: RunAs): void {
  mkdirSync(folder, { mode: 0o700 })
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
}
