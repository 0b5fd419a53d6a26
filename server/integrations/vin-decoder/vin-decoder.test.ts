import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { computeCheckDigit } from '@keyturn/contract/shared/vin.ts'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createVinDecoder } from './vin-decoder.ts'

const accord = '1HGCM82633A004352'
const anyone = 'anyone'
const decoder = createVinDecoder()
afterAll(() => decoder.close())

test('does not block the server while the first lookup loads all the data', async () => {
  const pauses = watchPauses()
  const begun = performance.now()
  await decoder.decode(accord, anyone)
  const took = performance.now() - begun
  // The measured value is 10 ms in 600: a third of the time would mean that this thread did the
  // work itself.
  expect(pauses.longest()).toBeLessThan(took / 3)
})

describe('cars in the decoder’s data', () => {
  const suv = 'Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)'
  test.each([
    [accord, 'Honda', 'Accord', 2003, 'EX-V6', 'Coupe'],
    [withCheckDigit('1FTFW1ET*DFA12345'), 'Ford', 'F-150', 2013, '', 'Pickup'],
    [withCheckDigit('4T1BF1FK*CU123456'), 'Toyota', 'Camry', 2012, '', 'Sedan/Saloon'],
    [withCheckDigit('WBA3A5C5*CF256651'), 'BMW', '328i', 2012, '', 'Sedan/Saloon'],
    [withCheckDigit('5YJ3E1EA*JF012345'), 'Tesla', 'Model 3', 2018, '', 'Sedan/Saloon'],
    [withCheckDigit('SALWR2VF*FA123456'), 'Land Rover', 'Range Rover Sport', 2015, 'HSE', suv],
    [withCheckDigit('WMWXM5C5*ET123456'), 'MINI', 'Hardtop', 2014, 'Cooper', 'Hatchback/Liftback/Notchback'],
  ])('%s is a %s %s of %i', async (vin, make, model, year, trim, bodyClass) => {
    expect(await decoder.decode(vin, anyone)).toEqual({ vin, make, model, year, trim, bodyClass })
  })

  test('decodes a VIN with a wrong check digit', async () => {
    const mistyped = '1HGCM82643A004352'
    expect(await decoder.decode(mistyped, anyone)).toMatchObject({
      vin: mistyped,
      make: 'Honda',
      model: 'Accord',
    })
  })
})

describe('invalid or unknown VINs', () => {
  test.each([
    ['of one letter', 'XXXXXXXXXXXXXXXXX'],
    ['of consecutive digits', '12345678901234567'],
    ['of an unknown manufacturer', withCheckDigit('ZZZ11111*11111111')],
    ['of a known manufacturer without such a car', withCheckDigit('1HGZZZZZ*3A004352')],
    ['without a model year', 'WVWZZZ1KZ0W123456'],
    ['with a letter that VINs do not use', '1HGCM82633A00435O'],
    ['of eleven characters', '1HGCM82633A'],
    ['in lower case', accord.toLowerCase()],
    ['with a quote in it', "1HG' OR 1=1 --352"],
    ['without any characters', ''],
  ])('returns null for a VIN %s', async (_, vin) => {
    expect(await decoder.decode(vin, anyone)).toBeNull()
  })
})

describe('starting the worker', () => {
  test('answers ten callers with a single start, even a slow one', async () => {
    holdTimers()
    const start = aHeldStart()
    const starting = troubled({}, start.script)
    const asked = Array.from({ length: 10 }, (_, i) => starting.decode(accord, `person ${i}`))
    await start.begun()
    vi.advanceTimersByTime(20_000)
    start.goOn()
    const answers = await Promise.all(asked)
    expect(new Set(answers.map((car) => car?.trim)).size).toBe(1)
    expect(start.count()).toBe(1)
  })

  test('returns an error to a caller that waits too long, while the start continues for the next one', async () => {
    holdTimers()
    const start = aHeldStart()
    const starting = troubled({}, start.script)
    const refused = expect(starting.decode(accord, anyone)).rejects.toMatchObject({
      code: 'Unavailable',
      status: 503,
      retryAfterSeconds: 5,
    })
    await start.begun()
    vi.advanceTimersByTime(24_000)
    await refused
    expect(starting.faults).toEqual(['VIN look-up waited longer than 24000 ms for its turn'])
    const later = starting.decode(accord, anyone)
    start.goOn()
    expect(await later).toMatchObject({ vin: accord })
    expect(start.count()).toBe(1)
  })

  test('rejects all waiting callers when a start fails, reports it once and retries for the next one', async () => {
    const start = aHeldStart()
    const failing = troubled({}, `${start.script}\n throw new Error('the data are gone')`)
    const asked = Promise.allSettled(['a', 'b', 'c'].map((caller) => failing.decode(accord, caller)))
    start.goOn()
    expect((await asked).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect([failing.faults, start.count()]).toEqual([['the data are gone'], 1])
    await expect(failing.decode(accord, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
    expect([failing.faults.length, start.count()]).toEqual([2, 2])
  })

  test('ends and reports a start that hangs, and lets the next caller begin another', async () => {
    holdTimers()
    const start = aHeldStart()
    const hanging = troubled({ startWithinMs: 10_000 }, start.script)
    const refused = expect(hanging.decode(accord, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
    await start.begun()
    vi.advanceTimersByTime(10_000)
    await refused
    expect(hanging.faults).toEqual(['VIN decoder took longer than 10000 ms to start'])
    start.goOn()
    expect(await hanging.decode(accord, anyone)).toMatchObject({ vin: accord })
    expect(start.count()).toBe(2)
  })
})

describe('an expected lookup', () => {
  test('starts the worker once and uses it for the lookup', async () => {
    const start = aHeldStart()
    const warmed = troubled({}, start.script)
    warmed.warm()
    warmed.warm()
    await start.begun()
    start.goOn()
    expect(await warmed.decode(accord, anyone)).toMatchObject({ vin: accord })
    warmed.warm()
    expect(start.count()).toBe(1)
  })

  test('stops the started worker when no lookup follows, and keeps it when one does', async () => {
    holdTimers()
    const start = aHeldStart()
    const warmed = troubled({ idleAfterMs: 60_000 }, start.script)
    start.goOn()
    warmed.warm()
    const first = (await warmed.decode(accord, anyone))?.trim
    vi.advanceTimersByTime(59_000)
    warmed.warm()
    vi.advanceTimersByTime(59_000)
    expect((await warmed.decode(accord, anyone))?.trim).toBe(first)
    vi.advanceTimersByTime(59_000)
    expect((await warmed.decode(accord, anyone))?.trim).toBe(first)
    vi.advanceTimersByTime(60_000)
    warmed.warm()
    expect((await warmed.decode(accord, anyone))?.trim).not.toBe(first)
  })

  test('starts nothing after the decoder was closed', async () => {
    const start = aHeldStart()
    const ended = troubled({}, start.script)
    await ended.close()
    ended.warm()
    await expect(ended.decode(accord, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
    // Once another worker has started and answered, this one would have started too.
    await troubled().decode(accord, anyone)
    expect(start.count()).toBe(0)
  })
})

describe('a failing worker', () => {
  test('rejects a late lookup but keeps the worker, because starting another is slower', async () => {
    holdTimers()
    const gate = aHeldStart()
    const slow = troubled({}, `globalThis.hold = async () => { ${gate.hold} }`)
    const first = (await slow.decode(accord, anyone))?.trim
    const refused = expect(slow.decode(late, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
    vi.advanceTimersByTime(5000)
    await refused
    const next = slow.decode(accord, anyone)
    gate.goOn()
    expect((await next)?.trim).toBe(first)
  })

  test('rejects a lookup that takes too long, and lets another worker answer those that wait', async () => {
    const slow = troubled({ maxRunMs: 1000 })
    const [lost, kept] = await Promise.allSettled([
      slow.decode(stuck, 'unlucky'),
      slow.decode(accord, anyone),
    ])
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'Unavailable', status: 503 } })
    expect(kept).toMatchObject({ status: 'fulfilled', value: { vin: accord } })
    expect(slow.faults).toEqual(['VIN look-up took longer than 1000 ms'])
  })

  test('rejects only the current lookup when a worker crashes, not the waiting ones', async () => {
    const breaking = troubled()
    const [lost, kept] = await Promise.allSettled([
      breaking.decode(broken, anyone),
      breaking.decode(accord, anyone),
    ])
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'Unavailable' } })
    expect(kept).toMatchObject({ status: 'fulfilled', value: { vin: accord } })
    expect(breaking.faults).toEqual(['worn out'])
  })

  test('rejects current and later lookups after the decoder was closed', async () => {
    const closing = troubled()
    const underWay = expect(closing.decode(stuck, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
    await closing.close()
    await underWay
    await expect(closing.decode(accord, anyone)).rejects.toMatchObject({ code: 'Unavailable' })
  })
})

test('does not keep a finished process alive while the worker is idle', async () => {
  const script = `import { createVinDecoder } from ${JSON.stringify(new URL('./vin-decoder.ts', import.meta.url))}
    const car = await createVinDecoder().decode('${accord}', '')
    console.log(car.make)`
  const words = ['--import', 'tsx', '--input-type=module', '-e', script]
  const run = promisify(execFile)(process.execPath, words, { timeout: 30_000 })
  expect((await run).stdout).toBe('Honda\n')
}, 40_000)

const stuck = withCheckDigit('STVCK111*11111111')
const late = withCheckDigit('LATEN111*11111111')
const broken = withCheckDigit('BRKEN111*11111111')

/** Opens the decoder with a worker that hangs or fails on request; the trim is its id. */
function troubled(options: Parameters<typeof createVinDecoder>[0] = {}, start = '') {
  const worker = `${start}
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', async (vin) => {
      while (vin === '${stuck}') {}
      if (vin === '${late}') await hold()
      if (vin === '${broken}') throw new Error('worn out')
      parentPort.postMessage({ vin, trim: String(threadId) })
    })
    parentPort.postMessage('ready')`
  const script = new URL(`data:text/javascript,${encodeURIComponent(worker)}`)
  const faults: string[] = []
  const opened = createVinDecoder({ script, onFault: (fault) => faults.push(fault.message), ...options })
  onTestFinished(() => opened.close())
  return { ...opened, faults }
}

/** Holds the timers of this thread until they are advanced; the worker continues. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Code that runs before a worker is ready: it records the start and waits until it is released. */
function aHeldStart() {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-vin-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [starts, gate] = [join(folder, 'starts'), join(folder, 'gate')]
  const count = () => (existsSync(starts) ? readFileSync(starts, 'utf8').length : 0)
  const hold = `const { existsSync } = await import('node:fs')
    while (!existsSync(${JSON.stringify(gate)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)`
  return {
    hold,
    script: `import { appendFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(starts)}, '|')
      ${hold}`,
    count,
    goOn: () => writeFileSync(gate, ''),
    begun: () => vi.waitUntil(() => count() > 0, { timeout: 120_000 }),
  }
}

function withCheckDigit(vin: string): string {
  return vin.replace('*', computeCheckDigit(vin.replace('*', '0')) ?? '')
}

/** Measures the longest time for which this thread was too busy to run a two-millisecond timer. */
function watchPauses() {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 2)
  onTestFinished(() => clearInterval(timer))
  return { longest: () => Math.max(longest, performance.now() - last) }
}
