import type { updatePrice } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test, vi } from 'vitest'
import { buildDecision, toFreezeOptions } from './use-decision.ts'
import type { EndpointMutation } from './use-endpoint-mutation.ts'
import { computeFrozenRow } from './use-frozen-row.ts'

type Row = { version: number; price: string; note?: string }

const cheap: Row = { version: 1, price: '$1' }
const dear: Row = { version: 2, price: '$2' }
const asked = ({ version }: Row) => ({ params: { carId: 'c' }, body: { version } }) as never

/**
 * A screen that decides on a row. `render` renders it once with this row as the server's current
 * one.
 */
type Wishes = {
  isWhole?: (row: Row) => boolean
  first?: Row | undefined
  currentIn?: (error: unknown) => Row | undefined
}

function aScreen(wishes: Wishes = { first: cheap }) {
  const act = vi.fn(async () => undefined as never)
  const reset = vi.fn()
  let memory: { seen: Row | undefined; wasOwn: boolean } = { seen: wishes.first, wasOwn: false }
  return {
    act,
    reset,
    render: (current: Row | undefined, now: { mayBeDone?: boolean; isWorking?: boolean } = {}) => {
      const by = { act, reset, mayBeDone: false, isWorking: false, ...now } as unknown as EndpointMutation<
        typeof updatePrice
      >
      const newsOf = (read: Row, is: Row) =>
        read.price === is.price ? [] : [{ label: 'Price', before: read.price, after: is.price }]
      const deciding = { by, current, newsOf, ...wishes }
      let seen = computeFrozenRow(memory, current, toFreezeOptions(deciding))
      while (seen.next.seen !== memory.seen || seen.next.wasOwn !== memory.wasOwn) {
        memory = seen.next
        seen = computeFrozenRow(memory, current, toFreezeOptions(deciding))
      }
      const show = (row: Row | undefined) => {
        memory = { ...memory, seen: row }
      }
      return buildDecision(deciding, { ...seen, show, catchUp: () => show(current) })
    },
  }
}

// R-deals-28
test('sends nothing until changes by others are accepted, then sends the version that was shown', async () => {
  const screen = aScreen()
  expect(screen.render(cheap)).toMatchObject({ read: cheap, mayDecide: true, changes: [] })
  const stale = screen.render(dear)
  expect(stale).toMatchObject({ read: cheap, isStale: true, mayDecide: false })
  expect(stale.changes).toEqual([{ label: 'Price', before: '$1', after: '$2' }])
  await stale.attempt(asked)
  expect(screen.act).not.toHaveBeenCalled()
  stale.goOn()
  const accepted = screen.render(dear)
  expect(accepted).toMatchObject({ read: dear, isStale: false, mayDecide: true })
  await accepted.act(asked)
  expect(screen.act).toHaveBeenCalledExactlyOnceWith(asked(dear))
})

test('shows and sends an irrelevant change without asking', async () => {
  const screen = aScreen()
  const noted = { ...cheap, version: 3, note: 'Washed.' }
  await screen.render(noted).act(asked)
  expect(screen.act).toHaveBeenCalledWith(asked(noted))
})

test('reports no change that may be the person’s own, and repeats the same request when retried', async () => {
  const screen = aScreen()
  screen.render(cheap)
  screen.render(cheap, { mayBeDone: true })
  const own = screen.render(dear, { mayBeDone: true })
  expect(own).toMatchObject({ read: cheap, isStale: false, mayDecide: true, changes: [] })
  await own.act(asked)
  expect(screen.act).toHaveBeenCalledWith(asked(cheap))
  expect(screen.render(undefined, { mayBeDone: true })).toMatchObject({ read: cheap, isGone: false })
  expect(screen.render(dear)).toMatchObject({ read: cheap, isStale: true })
})

test('keeps the row that was sent while the person’s own action is pending, even when an irrelevant field changes', async () => {
  const screen = aScreen()
  const noted = { ...cheap, version: 3, note: 'Washed.' }
  screen.render(noted)
  screen.render(noted, { mayBeDone: true })
  const again = screen.render({ ...noted, version: 4 }, { mayBeDone: true })
  await again.act(asked)
  expect(screen.act).toHaveBeenCalledWith(asked(noted))
})

test('rejects a decision on a deleted row, and treats a row that was never seen as loading', async () => {
  const screen = aScreen()
  const gone = screen.render(undefined)
  expect(gone).toMatchObject({ read: cheap, isGone: true, mayDecide: false })
  await gone.act(asked)
  expect(screen.act).not.toHaveBeenCalled()
  const loading = aScreen({ first: undefined })
  expect(loading.render(undefined)).toMatchObject({ read: undefined, isGone: false, mayDecide: false })
  expect(loading.render(cheap)).toMatchObject({ read: cheap, mayDecide: true })
  expect(loading.render(dear)).toMatchObject({ read: cheap, isStale: true })
})

test('reports no change when parts of a row load later', () => {
  const isWhole = (row: Row) => row.note !== undefined
  const screen = aScreen({ first: cheap, isWhole })
  const whole = { ...cheap, note: 'Washed.' }
  expect(screen.render(whole)).toMatchObject({ read: whole, isStale: false })
  expect(screen.render(undefined).read).toBe(whole)
})

test('clears an old error when changes are accepted, but not a pending action’s error', () => {
  const screen = aScreen()
  screen.render(dear, { isWorking: true }).goOn()
  expect(screen.reset).not.toHaveBeenCalled()
  screen.render({ ...dear, price: '$3' }).goOn()
  expect(screen.reset).toHaveBeenCalledOnce()
})

test('sends again once when the conflict is an irrelevant change, and otherwise keeps the error', async () => {
  const noted = { ...cheap, version: 3, note: 'Washed.' }
  const screen = aScreen({ first: cheap, currentIn: (error) => (error as { current?: Row }).current })
  screen.act.mockRejectedValueOnce({ current: noted })
  await screen.render(cheap).act(asked)
  expect(screen.act.mock.calls).toEqual([[asked(cheap)], [asked(noted)]])
  for (const error of [{ current: dear }, {}]) {
    screen.act.mockClear()
    screen.act.mockRejectedValue(error)
    await expect(screen.render(cheap).act(asked)).rejects.toBe(error)
    expect(screen.act).toHaveBeenCalledTimes(1)
  }
  screen.act.mockClear()
  screen.act.mockRejectedValue({ current: noted })
  await expect(screen.render(cheap).act(asked)).rejects.toEqual({ current: noted })
  expect(screen.act).toHaveBeenCalledTimes(2)
})

test('throws errors to a form, but not to a button', async () => {
  const screen = aScreen()
  screen.act.mockRejectedValue(new Error('refused'))
  await expect(screen.render(cheap).act(asked)).rejects.toThrow('refused')
  await expect(screen.render(cheap).attempt(asked)).resolves.toBeUndefined()
})
