import { expect, test } from 'vitest'
import { createInProcessWorker, createQueue, type QueueLimits } from './queue.ts'

// Uses work that ends on command. Decoder and printer tests cover real threads.

function aQueue(limits: QueueLimits) {
  const begun: string[] = []
  const ends = new Map<string, { well: () => void; badly: () => void }>()
  const worker = createInProcessWorker(
    (name: string) =>
      new Promise<string>((well, badly) => {
        begun.push(name)
        ends.set(name, { well: () => well(name), badly: () => badly(new Error(name)) })
      }),
  )
  const queue = createQueue({ name: 'Work', worker, limits })
  return {
    ...queue,
    begun,
    well: (name: string) => ends.get(name)?.well(),
    badly: (name: string) => ends.get(name)?.badly(),
  }
}

test('runs as many entries concurrently as allowed, the oldest first', async () => {
  const queue = aQueue({ places: 2, maxWaiting: 9 })
  const asked = ['a', 'b', 'c', 'd'].map((name) => queue.ask(name))
  expect(queue.begun).toEqual(['a', 'b'])
  queue.well('b')
  expect(await asked[1]).toBe('b')
  expect(queue.begun).toEqual(['a', 'b', 'c'])
})

test('rejects with the error of failed work and frees its slot', async () => {
  const queue = aQueue({ places: 1, maxWaiting: 1 })
  const [bad, good] = [queue.ask('bad'), queue.ask('good')]
  await expect(queue.ask('too many')).rejects.toMatchObject({ code: 'Unavailable' })
  queue.badly('bad')
  await expect(bad).rejects.toThrow(/^bad$/)
  queue.well('good')
  expect(await good).toBe('good')
})

test('limits running and waiting entries per caller', async () => {
  const queue = aQueue({ places: 1, maxWaiting: 9, maxPerCaller: 2 })
  const first = queue.ask('1', 'greedy')
  void queue.ask('2', 'greedy')
  await expect(queue.ask('3', 'greedy')).rejects.toMatchObject({ code: 'TooManyRequests' })
  void queue.ask('4', 'other')
  queue.well('1')
  await first
  void queue.ask('5', 'greedy')
  expect(queue.begun).toEqual(['1', '2'])
})

test('rejects waiting, running and later requests when closed', async () => {
  const queue = aQueue({ places: 1, maxWaiting: 9 })
  const asked = [queue.ask('a'), queue.ask('b')]
  await Promise.all([
    queue.close(),
    ...asked.map((one) => expect(one).rejects.toMatchObject({ status: 503 })),
  ])
  await expect(queue.ask('c')).rejects.toMatchObject({ status: 503 })
  expect(queue.begun).toEqual(['a'])
})
