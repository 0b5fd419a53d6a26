import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Person } from '../people.ts'

export type Readers = {
  readonly size: number
  /** Opens a stream for each person, a few at a time. */
  open(port: number, people: readonly Person[]): Promise<void>
  onChange: (person: Person) => void
  close(): Promise<void>
}

const concurrency = 64

/** Simulates each open page with one socket, so that the client needs little CPU and memory. */
export function createReaders(): Readers {
  const sockets = new Set<Socket>()

  async function openOne(port: number, person: Person): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    await once(socket, 'connect')
    socket.write(`GET /events HTTP/1.1\r\nHost: here\r\nCookie: ${person.cookie}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`A stream was rejected: ${head}`)
    socket.on('data', (piece) => {
      if (piece.includes('event: changed')) readers.onChange(person)
    })
  }
  const readers: Readers = {
    get size() {
      return sockets.size
    },
    async open(port, people) {
      const remaining = people.values()
      const worker = async () => {
        for (const person of remaining) await openOne(port, person)
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
    },
    onChange: () => {},
    async close() {
      const closed = [...sockets].map((socket) => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
  return readers
}
